import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import type { Score } from '../contracts/score.ts';
import type { GateRow } from './gates.ts';
import { rankModels } from './rank/rank.ts';
import { scoreAccuracies } from './score/accuracy-score.ts';
import { overOwnClasses, scorePredictions } from './score/compute.ts';
import type { ScoreOptions } from './score/options.ts';
import { hasSegmentation, readRunSegmentation, segmentsOnly } from './segmentation/read.ts';
import { scoreSegmentation } from './segmentation/score.ts';
import { type Loaded, loadScores } from './table/load.ts';

/** The score of a run folder, a Parquet file, a predictions CSV or an accuracy CSV. */
export async function scorePath(path: string, given: ScoreOptions = {}): Promise<Score> {
  const options = { ...given, margin: given.margin ?? (await marginOf(path)) };
  const segmentation = await segmentationOf(path, options);
  if (segmentation && (await segmentsOnly(path)))
    return { models: [], ranking: null, ship: null, notes: [], segmentation };
  const loaded = await loadScores(path);
  const score =
    loaded.kind === 'predictions'
      ? scorePredictions(loaded.predictions, options)
      : scoreAccuracies(loaded.cells, options);
  return { ...score, ...(segmentation && { segmentation }), ...(options.rank && { rank: rankOf(loaded, options) }) };
}

/** As the run was told; undefined for a table. */
async function marginOf(path: string): Promise<number | undefined> {
  const text = await readFile(join(path, 'run.json'), 'utf8').catch(() => '{}');
  try {
    const margin = (JSON.parse(text) as { config?: { margin?: unknown } }).config?.margin;
    return typeof margin === 'number' ? margin : undefined;
  } catch {
    return undefined;
  }
}

function rankOf(loaded: Loaded, options: ScoreOptions) {
  if (loaded.kind !== 'predictions')
    throw new UserError(`${loaded.source} has accuracies alone; a ranking needs the answers, image by image`);
  const { predictions } = loaded;
  return rankModels(options.own ? overOwnClasses(predictions) : predictions, { ...options, ...options.rank });
}

/** The score of a run folder. */
export const scoreRun = (run: string, options: ScoreOptions = {}): Promise<Score> => scorePath(run, options);

/** Rows by class, as gates want them; the score must have been made with `byClass`. */
export function gateRows(score: Score): GateRow[] {
  return score.models.flatMap(({ model, classes }) => (classes ?? []).map((row) => ({ ...row, model })));
}

async function segmentationOf(run: string, options: ScoreOptions) {
  return (await hasSegmentation(run)) ? scoreSegmentation(await readRunSegmentation(run), options) : undefined;
}
