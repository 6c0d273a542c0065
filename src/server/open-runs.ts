import { availableParallelism } from 'node:os';
import type { RunColumns } from '../contracts/explore/columns.ts';
import type { RunRecord } from '../contracts/run-record.ts';
import { answerShards, readRunRecord } from '../run/folder/index.ts';
import { cachedColumns } from './columns-cache.ts';
import { firstSamples } from './first-samples.ts';
import { fillFacts } from './sample-facts.ts';
import { openScenes, type Scenes } from './scenes.ts';
import type { KnownPlace, Workspace } from './workspace.ts';

export interface OpenRun {
  readonly place: KnownPlace;
  record(): Promise<RunRecord>;
  /** The answers so far; read again when there are new ones. */
  columns(): Promise<RunColumns>;
  /** The first answers, as long as all of a large run are being read for the first time. */
  head(): Promise<RunColumns | undefined>;
  scenes(): Promise<Scenes>;
}

export interface OpenRuns {
  open(id: string): Promise<OpenRun>;
  /** The run begun last. */
  newest(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** So many runs are held in memory; the one looked at longest ago goes first. */
const mostOpen = 3;
/** A run under way is looked at again after this. */
const freshMs = 3000;

interface Held extends OpenRun {
  close(): Promise<void>;
}

export function createOpenRuns(workspace: Workspace): OpenRuns {
  const held = new Map<string, Held>();
  const open = async (id: string): Promise<OpenRun> => {
    const place = await workspace.run(id);
    const known = held.get(place.path) ?? hold(place, workspace);
    held.delete(place.path);
    held.set(place.path, known);
    for (const [path, oldest] of held) {
      if (held.size <= mostOpen) break;
      held.delete(path);
      void oldest.close();
    }
    return known;
  };
  const newest = async (): Promise<string | undefined> => {
    const begun = await Promise.all(
      (await workspace.runs()).map(async ({ id, path }) => ({
        id,
        started: (await readRunRecord(path).catch(() => undefined))?.started ?? '',
      })),
    );
    return begun.sort((a, b) => b.started.localeCompare(a.started))[0]?.id;
  };
  return {
    open,
    newest,
    close: async () => {
      await Promise.all([...held.values()].map((run) => run.close()));
    },
  };
}

function hold(place: KnownPlace, workspace: Workspace): Held {
  const stopped = new AbortController();
  let current: { shards: string; columns: Promise<RunColumns>; looked: number; known?: RunColumns } | undefined;
  let looking: Promise<NonNullable<typeof current>> | undefined;
  let head: Promise<RunColumns | undefined> | undefined;
  let scenes: Promise<Scenes> | undefined;
  const record = () => readRunRecord(place.path);
  const openedScenes = () => {
    scenes ??= record().then((found) => openScenes(found, workspace, Math.max(1, Math.min(4, availableParallelism()))));
    scenes.catch(() => {
      scenes = undefined;
    });
    return scenes;
  };
  const learnFacts = async (columns: Promise<RunColumns>) => {
    const { samples, facts } = await columns;
    await fillFacts(await openedScenes(), samples, facts, { signal: stopped.signal });
  };
  const showFirst = async (head: RunColumns) => {
    await (await openedScenes()).sheet(firstSamples(head));
  };
  /** Begins to read what is new; while a large run is read nothing else of it is, though it may grow meanwhile. */
  const look = async () => {
    if (current && (!current.known || Date.now() - current.looked < freshMs)) return current;
    const files = await answerShards(place.path);
    const shards = files.join('\n');
    if (current?.shards === shards) {
      current.looked = Date.now();
      return current;
    }
    const { whole: columns, head: first } = cachedColumns(place.path, files, {
      earlier: current?.known,
      beforeRest: showFirst,
    });
    const begun: NonNullable<typeof current> = { shards, columns, looked: Date.now() };
    current = begun;
    head = first;
    const forget = () => {
      if (head === first) head = undefined;
    };
    columns.then(forget, forget);
    columns.then(
      (known) => {
        begun.known = known;
      },
      () => {
        current = undefined;
      },
    );
    // Photographs that are not there cost the filters by size and place, not the run.
    void learnFacts(columns).catch(() => {});
    return begun;
  };
  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  return {
    place,
    record,
    columns: async () => (await lookOnce()).columns,
    async head() {
      await lookOnce();
      return head?.catch(() => undefined);
    },
    scenes: openedScenes,
    async close() {
      stopped.abort();
      await (await scenes?.catch(() => undefined))?.close();
    },
  };
}
