import { readFile, realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { HTTPException } from 'hono/http-exception';
import type { Sample } from '../../contracts/sample.ts';
import type { AnnotateDataset, AnnotateSaved, AnnotateShow, AnnotateTurn } from '../../contracts/studio/annotate.ts';
import { hasObjectMask } from '../../dataset/mask-coverage.ts';
import { inspectImage } from '../../image/decode.ts';
import { type DatasetSettings, openConfiguredDataset } from '../../run/configured-dataset.ts';
import { notFound, refused } from '../errors.ts';
import { type Lanes, openLanes } from '../lanes.ts';
import { type KnownPlace, madeManifest, shown, type Workspace } from '../workspace.ts';
import { type AnnotateInit, type AnnotateResult, type AnnotateTask, annotateJob } from './annotate-job.ts';
import type { Drawn } from './judge.ts';
import { judgementOf } from './judge.ts';
import { type MaskStore, openMaskStore } from './mask-store.ts';
import { createQueue } from './queue.ts';

/** How the datasets given to the studio are read. */
export type ReadingOptions = Pick<DatasetSettings, 'masks' | 'layout' | 'labelFrom'>;

export interface AnnotatedOptions {
  readonly place: KnownPlace;
  readonly workspace: Workspace;
  readonly reading: ReadingOptions;
  readonly folder: string;
  /** The folder was named by the user. */
  readonly isChosen: boolean;
  readonly model?: AnnotateInit['model'];
}

type Asked =
  | Omit<Extract<AnnotateTask, { kind: 'cut' }>, 'sample'>
  | { kind: 'find' }
  | { kind: 'refine'; runs: string };

/** A dataset whose masks are drawn: its pictures in the order of what is missing, and what was saved of each. */
export interface AnnotatedDataset {
  describe(show: AnnotateShow, from: number, count: number): Omit<AnnotateDataset, 'made'>;
  /** Without an id: the first of what is shown. */
  turn(id: string | undefined, show: AnnotateShow): Promise<AnnotateTurn>;
  version(id: string): Promise<{ version: string; savedAt: string | null }>;
  save(id: string, objects: readonly string[], runs: string, ifVersion: string): Promise<AnnotateSaved>;
  /** What a machine finds: GrabCut, a salient-object model, or matting. */
  find(id: string, asked: Asked): Promise<string>;
  picture(id: string): Promise<{ bytes: Uint8Array; type: string }>;
  tile(id: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Sent to the page as they are: what every browser decodes to the same pixels as Sceneshift does. */
const plainTypes: Record<string, string> = { jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp' };

export async function openAnnotated(options: AnnotatedOptions): Promise<AnnotatedDataset> {
  const { place, workspace, reading, folder, isChosen, model } = options;
  const dataset = await openConfiguredDataset({ ...reading, data: place.path });
  const samples = dataset.samples.filter(({ scenario }) => !scenario).map(withObjectMask);
  const indexOf = new Map(samples.map(({ id }, i) => [id, i]));
  const store = openMaskStore(samples, folder, { isChosen });
  const queue = createQueue(samples);
  for (const index of await store.present()) queue.setDrawn(index);
  const isInside = await workspace.isInside();
  const outside = async (sample: Sample): Promise<string | undefined> => {
    for (const file of filesOf(sample)) {
      const real = await realpath(file).catch(() => undefined);
      if (real !== undefined && !isInside(real)) return basename(file);
    }
    return undefined;
  };

  const init: AnnotateInit = { samples, model };
  const hands = lazily(() => openLanes(annotateJob, init, 1));
  const eyes = lazily(() => openLanes(annotateJob, { samples }, 1));
  const ask = async (lane: typeof hands, task: AnnotateTask): Promise<AnnotateResult> => {
    const result = await (await lane.open()).run(task);
    if (result.problem) throw new HTTPException(422, { message: result.problem });
    return result;
  };
  const indexAt = async (id: string): Promise<number> => {
    const index = indexOf.get(id);
    if (index === undefined) throw notFound(`The dataset has no picture '${id}'`);
    const wrong = await outside(samples[index]);
    if (wrong) throw refused(`${wrong} is a link out of the folders that the studio was given`);
    return index;
  };
  /** What is on disk; a save that was cut short is finished first. */
  const stored = async (index: number) => {
    const found = await store.find(index);
    if (!found.unfinished) return found;
    const { bytes } = await ask(hands, { kind: 'repair', sample: index, json: store.jsonOf(index) });
    await store.finish(index, bytes as Uint8Array);
    return store.find(index);
  };
  const drawnOf = async (index: number): Promise<{ drawn?: Drawn }> => {
    const { drawn } = await stored(index);
    return drawn ? { drawn } : {};
  };

  const stopped = new AbortController();
  const lookAtAll = async () => {
    for (let sample = 0; sample < samples.length && !stopped.signal.aborted; sample++) {
      if (queue.shown(sample).state !== 'unlooked') continue;
      const wrong = await outside(samples[sample]);
      if (wrong) {
        queue.put(sample, judgementOf('no-picture', [`${wrong} is a link out of the folders given`]));
        continue;
      }
      const looked = await ask(eyes, { kind: 'look', sample, ...(await drawnOf(sample)) }).catch((error: Error) => ({
        judgement: judgementOf('no-picture', [error.message]),
      }));
      if (looked.judgement) queue.put(sample, looked.judgement);
    }
  };
  const looking = lookAtAll();
  // What one picture does wrong was put into the queue; anything else must not end the studio.
  looking.catch(() => {});
  const toLook = queue.list('all').filter((i) => queue.shown(i).state === 'unlooked').length;

  return {
    describe(show, from, count) {
      return {
        name: place.name,
        folder: shown(folder),
        use: howToUse(place, store, {
          takesMasks: layoutsWithMasks.includes(dataset.layout) && !samples.some(({ mask }) => mask),
          hasManifest: !samples.some(({ protect }) => protect),
        }),
        counts: queue.counts(),
        looked: Math.min(queue.looked, toLook),
        toLook,
        samples: queue
          .list(show)
          .slice(from, from + count)
          .map((index) => queue.shown(index)),
      };
    },
    async turn(id, show) {
      const first = id === undefined ? queue.list(show)[0] : undefined;
      if (id === undefined && first === undefined) throw notFound('Nothing is left to do here');
      const index = await indexAt(id ?? samples[first as number].id);
      const found = await stored(index);
      const opened = await ask(hands, { kind: 'open', sample: index, ...(found.drawn && { drawn: found.drawn }) });
      if (opened.judgement) queue.put(index, opened.judgement);
      const { previous, next, place: number, of } = queue.around(index, show);
      const idAt = (at: number | undefined) => (at === undefined ? null : samples[at].id);
      return {
        sample: queue.shown(index),
        width: opened.width as number,
        height: opened.height as number,
        version: found.version,
        file: store.fileOf(index),
        savedAt: found.savedAt,
        objects: opened.objects ?? [],
        runs: opened.runs as string,
        note: opened.note ?? null,
        previous: idAt(previous),
        next: idAt(next),
        place: number ?? null,
        of,
        canFind: model !== undefined,
      };
    },
    async version(id) {
      const { version, savedAt } = await stored(await indexAt(id));
      return { version, savedAt };
    },
    async save(id, objects, runs, ifVersion) {
      const index = await indexAt(id);
      const packed = await ask(hands, { kind: 'pack', sample: index, runs, objects });
      const saved = await store.save(
        index,
        {
          shapes: packed.shapes ?? [],
          doubt: packed.doubt ?? null,
          imageWidth: packed.width as number,
          imageHeight: packed.height as number,
          objects,
          png: packed.bytes as Uint8Array,
        },
        ifVersion,
      );
      queue.setDrawn(index);
      if (packed.judgement) queue.put(index, packed.judgement);
      return { ...saved, file: store.fileOf(index), sample: queue.shown(index) };
    },
    async find(id, asked) {
      const sample = await indexAt(id);
      return (await ask(hands, { ...asked, sample } as AnnotateTask)).runs as string;
    },
    async picture(id) {
      const sample = await indexAt(id);
      const bytes = await readFile(samples[sample].image);
      const { format, orientation, alpha, colour, profile, bits } = await inspectImage(new Uint8Array(bytes));
      const plain = orientation === 1 && !alpha && colour !== 'cmyk' && profile !== 'other' && bits === 8;
      if (plain && plainTypes[format]) return { bytes, type: plainTypes[format] };
      const made = await ask(hands, { kind: 'picture', sample });
      return { bytes: made.bytes as Uint8Array, type: 'image/jpeg' };
    },
    async tile(id) {
      const sample = await indexAt(id);
      return (await ask(eyes, { kind: 'tile', sample, ...(await drawnOf(sample)) })).bytes as Uint8Array;
    },
    async close() {
      stopped.abort();
      await looking.catch(() => {});
      await Promise.all([hands.close(), eyes.close()]);
      await store.close();
    },
  };
}

const filesOf = ({ image, mask }: Sample): string[] => [image, ...(mask?.kind === 'file' ? [mask.path] : [])];

/** A mask that marks a defect says nothing of where the object is. */
function withObjectMask(sample: Sample): Sample {
  if (hasObjectMask(sample)) return sample;
  const { mask: _defect, ...rest } = sample;
  return rest;
}

/** Layouts that take `--masks`. */
const layoutsWithMasks = ['image-folder', 'mvtec-ad'];

/** What to type so that a run takes the masks drawn. */
function howToUse(
  { name }: KnownPlace,
  { folder }: MaskStore,
  { takesMasks, hasManifest }: { takesMasks: boolean; hasManifest: boolean },
): string[] {
  const own = `sceneshift run --data ${name} --masks ${shown(folder)}`;
  const manifest = `sceneshift run --data ${shown(folder)}/${madeManifest}`;
  return [...(takesMasks ? [own] : []), ...(hasManifest ? [manifest] : [])];
}

function lazily(open: () => Promise<Lanes<AnnotateTask, AnnotateResult>>) {
  let lanes: Promise<Lanes<AnnotateTask, AnnotateResult>> | undefined;
  return {
    open: () => {
      lanes ??= open();
      return lanes;
    },
    close: async () => (await lanes?.catch(() => undefined))?.close(),
  };
}
