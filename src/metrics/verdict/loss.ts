import { differenceByClusters } from '../../stats/cluster-mean.ts';
import { type Interval, newcombePaired } from '../../stats/proportion.ts';
import type { AnswerCell } from '../table/cells.ts';
import type { Predictions } from '../table/predictions.ts';

/** Accuracy before minus accuracy after, over the images that both have. */
export interface PairedLoss {
  readonly estimate: number;
  readonly ci: Interval;
  readonly images: number;
}

/**
 * What is lost from one scenario to the mean of others, image by image. Newcombe's interval where every image is its own
 * cluster and there is one scenario; else by what each cluster adds (t, clusters − 1): without resampling, so that nothing
 * but these images decides it.
 */
export function pairedLoss(
  predictions: Predictions,
  before: AnswerCell,
  after: readonly AnswerCell[],
): PairedLoss | undefined {
  const { pairedBy, cluster, correct } = predictions;
  const first = new Int8Array(pairedBy.count).fill(-1);
  for (const row of before.rows) first[pairedBy.codes[row]] = correct[row];
  const lost = new Float64Array(pairedBy.count);
  const seen = new Uint16Array(pairedBy.count);
  const clusterOf = new Int32Array(pairedBy.count).fill(-1);
  for (const { rows } of after)
    for (const row of rows) {
      const code = pairedBy.codes[row];
      if (first[code] < 0) continue;
      lost[code] += first[code] - correct[row];
      seen[code]++;
      clusterOf[code] = cluster.codes[row];
    }
  const [sums, counts] = [new Map<number, number>(), new Map<number, number>()];
  const table = [0, 0, 0];
  let [total, images] = [0, 0];
  for (let code = 0; code < pairedBy.count; code++) {
    if (!seen[code]) continue;
    const own = lost[code] / seen[code];
    total += own;
    images++;
    table[Math.sign(own) + 1]++;
    sums.set(clusterOf[code], (sums.get(clusterOf[code]) ?? 0) + own);
    counts.set(clusterOf[code], (counts.get(clusterOf[code]) ?? 0) + 1);
  }
  if (!images) return undefined;
  const estimate = total / images;
  if (after.length === 1 && counts.size === images) {
    const [gained, same, dropped] = table;
    const right = rightBefore(before, first, seen, predictions);
    return { estimate, images, ci: newcombePaired(right - dropped, dropped, gained, same - (right - dropped)) };
  }
  let squares = 0;
  for (const [name, sum] of sums) squares += ((sum - estimate * (counts.get(name) as number)) / images) ** 2;
  const { ci } = differenceByClusters(estimate, squares, counts.size);
  return { estimate, images, ci: ci ? [Math.max(-1, ci[0]), Math.min(1, ci[1])] : [-1, 1] };
}

function rightBefore(before: AnswerCell, first: Int8Array, seen: Uint16Array, { pairedBy }: Predictions): number {
  let right = 0;
  for (const row of before.rows) if (seen[pairedBy.codes[row]]) right += first[pairedBy.codes[row]];
  return right;
}
