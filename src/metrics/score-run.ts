import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { expected, UserError } from '../contracts/errors.ts';
import type { RunRecord } from '../contracts/run-record.ts';
import type { Score } from '../contracts/score.ts';
import { earlierRecord, type RunFolder, withRunFolder } from '../run/folder/index.ts';
import { type ColumnTable, tableFrom } from './analyze/table.ts';
import { checkNumbers } from './check-numbers.ts';
import type { GateRow } from './gates.ts';
import { asPublished } from './measures/as-published.ts';
import { rankModels } from './rank/rank.ts';
import { predictionsOf } from './read-run.ts';
import { scoreAccuracies } from './score/accuracy-score.ts';
import { overOwnClasses, scorePredictionsInTurns } from './score/compute.ts';
import type { ScoreOptions } from './score/options.ts';
import { scoreSegmentation } from './segmentation/score.ts';
import { fromTable, type Loaded, loadScores } from './table/load.ts';
import type { Predictions } from './table/predictions.ts';
import { trainedOnAlarm } from './verdict/alarms.ts';

/** A run loaded and scored, once for terminal, report and JSON. */
export interface ScoredRun {
  readonly score: Score;
  /** Rows of `predictions`; null where no model classifies. */
  readonly table: ColumnTable | null;
  readonly predictions: Predictions | null;
  /** Rows of `segmentation`; null where no model segments. */
  readonly segmentation: ColumnTable | null;
  /** Undefined where the folder has none that can be read. */
  readonly record: RunRecord | undefined;
}

export const loadScoredRun = (run: string, options: ScoreOptions = {}): Promise<ScoredRun> =>
  withRunFolder(run, async (folder) => {
    const record = await earlierRecord(run);
    const told = record?.config?.margin;
    const margin = options.margin ?? (typeof told === 'number' ? told : undefined);
    const scored = await scoreFolder(folder, { ...options, margin }, record);
    return { ...scored, score: withTrainedOn(scored.score, record), record };
  });

/** From run.json, not from the rows: which photographs a model was trained on. */
function withTrainedOn(score: Score, record: RunRecord | undefined): Score {
  const of = record?.data?.samples ?? 0;
  const found = (record?.models ?? []).flatMap(({ name, trainedOnThese: seen = 0 }) =>
    seen > 0 ? [trainedOnAlarm(name, { seen, of: Math.max(seen, of) })] : [],
  );
  if (!found.length) return score;
  const ofModel = (name: string) => found.filter(({ model }) => model === name);
  return {
    ...score,
    alarms: [...(score.alarms ?? []), ...found],
    models: score.models.map((each) =>
      ofModel(each.model).length ? { ...each, alarms: [...(each.alarms ?? []), ...ofModel(each.model)] } : each,
    ),
  };
}

async function scoreFolder(
  folder: RunFolder,
  options: ScoreOptions,
  record: RunRecord | undefined,
): Promise<Omit<ScoredRun, 'record'>> {
  const segmentation = folder.tables.has('segmentation')
    ? tableFrom(await folder.columns('SELECT * FROM segmentation'), basename(folder.path))
    : null;
  const segmented = segmentation && { segmentation: scoreSegmentation(segmentation, options) };
  if (segmented && !folder.tables.has('predictions'))
    return {
      score: { models: [], ranking: null, ship: null, notes: [], ...segmented },
      table: null,
      predictions: null,
      segmentation,
    };
  const table = await predictionsOf(folder);
  const loaded = inOrderOfRun(fromTable(table), record);
  const published = options.asPublished && { asPublished: await asPublished(folder) };
  const score = { ...(await scoreLoaded(loaded, options)), ...segmented, ...published };
  return { score, table, predictions: loaded.kind === 'predictions' ? loaded.predictions : null, segmentation };
}

/** Models and scenarios as the run names them: the files lie in an order that depends on when each was finished. */
function inOrderOfRun(loaded: Loaded, record: RunRecord | undefined): Loaded {
  if (loaded.kind !== 'predictions') return loaded;
  const { models = [], scenarios = [] } = record ?? {};
  const order = { models: models.map(({ name }) => name), scenarios };
  return { ...loaded, predictions: { ...loaded.predictions, order } };
}

async function scoreLoaded(loaded: Loaded, options: ScoreOptions): Promise<Score> {
  const score =
    loaded.kind === 'predictions'
      ? await scorePredictionsInTurns(loaded.predictions, options)
      : scoreAccuracies(loaded.cells, options);
  const models = score.models.map(({ model }) => model);
  const unknown = [...(options.mu?.keys() ?? [])].find((model) => model !== '' && !models.includes(model));
  if (unknown !== undefined) throw expected(`a model of it (${models.join(', ')})`, '--mu', unknown);
  return { ...score, ...(options.rank && { rank: rankOf(loaded, options) }) };
}

function rankOf(loaded: Loaded, options: ScoreOptions) {
  if (loaded.kind !== 'predictions')
    throw new UserError(`${loaded.source} has accuracies alone; a ranking needs the answers, image by image`);
  const { predictions } = loaded;
  return rankModels(options.own ? overOwnClasses(predictions) : predictions, { ...options, ...options.rank });
}

/** The score of a run folder, a Parquet file, a predictions CSV or an accuracy CSV. */
export async function scorePath(path: string, options: ScoreOptions = {}): Promise<Score> {
  checkNumbers(options);
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory();
  if (isFolder) return (await loadScoredRun(path, options)).score;
  if (options.asPublished)
    throw expected('a run folder', '--as-published', path, 'a table says nothing of the first five answers');
  return scoreLoaded(await loadScores(path), options);
}

/** The score of a run folder. */
export const scoreRun = async (run: string, options: ScoreOptions = {}): Promise<Score> =>
  (await loadScoredRun(run, options)).score;

/** Rows by class, as gates want them; the score must have been made with `byClass`. */
export function gateRows(score: Score): GateRow[] {
  return score.models.flatMap(({ model, classes }) => (classes ?? []).map((row) => ({ ...row, model })));
}
