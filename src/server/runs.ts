import { Hono } from 'hono';
import type { ErrorLine } from '../contracts/prediction.ts';
import type { DatasetSummary, RunSummary } from '../contracts/studio/runs.ts';
import { answerShards, countShardRows, isBeingWritten, readErrorLines, readRunRecord } from '../run/folder/index.ts';
import type { KnownPlace, Workspace } from './workspace.ts';

export interface StartedRuns {
  /** What is known of a run that this studio started. */
  get(folder: string): { readonly running: boolean; readonly message: string | null } | undefined;
}

const counts = new Map<string, number>();
async function countRows(folder: string): Promise<number> {
  const files = await answerShards(folder);
  const unknown = files.filter((file) => !counts.has(file));
  for (const [i, rows] of (await countShardRows(unknown)).entries()) counts.set(unknown[i], rows);
  return files.reduce((sum, file) => sum + (counts.get(file) ?? 0), 0);
}

/** A run as its folder says it is now. */
export async function summariseRun(
  { id, name, path }: KnownPlace,
  own?: ReturnType<StartedRuns['get']>,
): Promise<RunSummary> {
  const record = await readRunRecord(path);
  const finished = record.finished ?? null;
  const running = own?.running || (await isBeingWritten(path));
  const samples = record.data?.samples ?? 0;
  // Heads are trained in folds: how many answers that makes is known when it is done.
  const asked = record.training ? 0 : record.models.length * record.scenarios.length * samples;
  const done = finished && typeof record.rows === 'number' ? record.rows : await countRows(path);
  return {
    id,
    name,
    folder: path,
    state: running ? 'running' : finished ? 'finished' : 'stopped',
    here: own !== undefined,
    started: record.started ?? null,
    finished,
    done,
    total: asked || null,
    errors: record.errors ?? 0,
    samples,
    classes: record.data?.classes?.length ?? 0,
    models: record.models.map((model) => model.name),
    scenarios: record.scenarios,
    data: record.data?.path ?? '',
    message: own?.message ?? null,
  };
}

export function runRoutes(workspace: Workspace, { started, version }: { started: StartedRuns; version: string }): Hono {
  const summarise = (place: KnownPlace) => summariseRun(place, started.get(place.path));
  return new Hono()
    .get('/workspace', async (c) => {
      // A folder whose record cannot be read costs itself, not the list.
      const summaries = await Promise.all((await workspace.runs()).map((run) => summarise(run).catch(() => undefined)));
      const datasets: DatasetSummary[] = (await workspace.datasets()).map((place) => ({ ...place, layout: null }));
      const runs = summaries.filter((summary) => summary !== undefined);
      runs.sort((a, b) => (b.started ?? '').localeCompare(a.started ?? ''));
      return c.json({ version, runs, datasets });
    })
    .get('/runs/:run/errors', async (c) =>
      c.json((await readErrorLines((await workspace.run(c.req.param('run'))).path)) satisfies ErrorLine[]),
    )
    .get('/runs/:run', async (c) => c.json(await summarise(await workspace.run(c.req.param('run')))));
}
