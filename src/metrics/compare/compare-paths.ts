import { expected } from '../../contracts/errors.ts';
import { checkNumbers } from '../check-numbers.ts';
import { loadScores } from '../table/load.ts';
import type { Predictions } from '../table/predictions.ts';
import { type Compared, type CompareOptions, compare } from './compare-answers.ts';
import { modelPairs } from './model-pairs.ts';

export interface ComparePathsOptions extends CompareOptions {
  /** `A,B`: which model of the first and which of the second, or two of the first alone. */
  readonly models?: string;
}

/** Two runs or predictions tables, or two models of one: each pair of models that both have. */
export async function comparePaths(
  pathA: string,
  pathB: string | undefined,
  { models, ...options }: ComparePathsOptions = {},
): Promise<Compared[]> {
  checkNumbers(options);
  const a = await loadPredictions(pathA);
  const b = pathB === undefined ? a : await loadPredictions(pathB);
  const pairs = modelPairs(
    { source: a.source, models: a.model.levels },
    pathB === undefined ? undefined : { source: b.source, models: b.model.levels },
    models,
  );
  return pairs.map(([first, second]) =>
    compare({ predictions: a, model: first }, { predictions: b, model: second }, options),
  );
}

async function loadPredictions(path: string): Promise<Predictions> {
  const loaded = await loadScores(path);
  if (loaded.kind === 'accuracy')
    throw expected('predictions, one row per image', path, 'an accuracy table', 'without images nothing can be paired');
  return loaded.predictions;
}
