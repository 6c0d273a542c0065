import type { SaliencyIndex } from '../../contracts/saliency.ts';
import type { Saliency } from '../read.ts';
import { type Attention, attentionOf } from './attention.ts';
import { type SaliencyCell, saliencyCells } from './cells.ts';
import { allPairs, compareReliance, type ModelPair, type RelianceDifference } from './compare-reliance.ts';

export interface SaliencySummary {
  readonly index: SaliencyIndex;
  readonly cells: readonly SaliencyCell[];
  /** The pairs asked for, else every model against every other. */
  readonly comparisons: readonly RelianceDifference[];
  readonly attention: Attention;
}

/** More models than this are not all held against each other unasked. */
const mostModels = 6;

export function summariseSaliency(
  { index, rows }: Saliency,
  { pairs }: { readonly pairs?: readonly ModelPair[] } = {},
): SaliencySummary {
  const order = new Map(index.scenarios.map((scenario, i) => [scenario, i]));
  const models = new Map(index.models.map(({ model }, i) => [model, i]));
  const cells = saliencyCells(rows).sort(
    (a, b) =>
      (models.get(a.model) ?? 0) - (models.get(b.model) ?? 0) ||
      (order.get(a.scenario) ?? 0) - (order.get(b.scenario) ?? 0),
  );
  const names = [...models.keys()].slice(0, mostModels);
  return {
    index,
    cells,
    comparisons: compareReliance(rows, pairs?.length ? pairs : allPairs(names)),
    attention: attentionOf(rows, cells),
  };
}
