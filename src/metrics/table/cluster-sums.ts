import type { AnswerCell } from './cells.ts';
import type { Predictions } from './predictions.ts';

/** Right answers and answers of every cluster in every cell, row by row (`right[cluster * cells + cell]`). */
export interface ClusterSums {
  readonly clusters: number;
  readonly cells: number;
  readonly right: Float32Array;
  readonly count: Float32Array;
}

/** What a cell's answers are counted by: all outputs, or the dataset's own classes. */
export function clusterSums(
  cells: readonly AnswerCell[],
  cluster: { readonly codes: Uint32Array; readonly count: number },
  correct: Predictions['correct'],
): ClusterSums {
  const width = cells.length;
  const right = new Float32Array(cluster.count * width);
  const count = new Float32Array(cluster.count * width);
  for (const [c, { rows }] of cells.entries()) {
    for (const row of rows) {
      const at = cluster.codes[row] * width + c;
      count[at]++;
      right[at] += correct[row];
    }
  }
  return { clusters: cluster.count, cells: width, right, count };
}

/** Accuracy of every cell. */
export function accuracies({ clusters, cells, right, count }: ClusterSums): Float64Array {
  const [sum, n] = [new Float64Array(cells), new Float64Array(cells)];
  for (let g = 0, at = 0; g < clusters; g++)
    for (let c = 0; c < cells; c++, at++) {
      sum[c] += right[at];
      n[c] += count[at];
    }
  return sum.map((value, c) => value / n[c]);
}

/** Answers in every cell. */
export function answerCounts({ clusters, cells, count }: ClusterSums): Float64Array {
  const n = new Float64Array(cells);
  for (let g = 0, at = 0; g < clusters; g++) for (let c = 0; c < cells; c++, at++) n[c] += count[at];
  return n;
}

/** What each cluster adds to each cell's accuracy (linearised); zero where it has no answer in the cell. */
export function accuracyInfluence(sums: ClusterSums): Float64Array {
  const { clusters, cells, right, count } = sums;
  const accuracy = accuracies(sums);
  const n = answerCounts(sums);
  const influence = new Float64Array(right.length);
  for (let g = 0, at = 0; g < clusters; g++)
    for (let c = 0; c < cells; c++, at++) influence[at] = (right[at] - accuracy[c] * count[at]) / n[c];
  return influence;
}

/** Clusters with an answer in any of the cells. */
export function presentClusters({ clusters, cells, count }: ClusterSums): number {
  let present = 0;
  for (let g = 0; g < clusters; g++) {
    for (let c = 0; c < cells; c++)
      if (count[g * cells + c] > 0) {
        present++;
        break;
      }
  }
  return present;
}
