import type { SegmentationComparison } from '../../contracts/comparison.ts';
import { checkNumbers } from '../check-numbers.ts';
import { modelPairs } from '../compare/model-pairs.ts';
import { compareSegmentation } from './compare-segmentation.ts';
import { readRunSegmentation } from './read.ts';

export interface CompareSegmentationsOptions {
  /** `A,B`, as for predictions. */
  readonly models?: string;
  readonly seed?: number;
  readonly bootstrap?: number;
}

/** Two runs whose models segment, or two models of one. */
export async function compareSegmentationPaths(
  pathA: string,
  pathB: string | undefined,
  { models, ...options }: CompareSegmentationsOptions = {},
): Promise<SegmentationComparison[]> {
  checkNumbers(options);
  const a = await readRunSegmentation(pathA);
  const b = pathB === undefined ? a : await readRunSegmentation(pathB);
  const [ofA, ofB] = [a, b].map((side) => ({ source: side.source, models: side.text('model').levels }));
  return modelPairs(ofA, pathB === undefined ? undefined : ofB, models).map(([first, second]) => ({
    a: { source: a.source, model: first },
    b: { source: b.source, model: second },
    segmentation: compareSegmentation({ table: a, model: first }, { table: b, model: second }, options),
  }));
}
