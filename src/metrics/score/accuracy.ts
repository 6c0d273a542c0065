import { type Interval, wilson } from '../../stats/proportion.ts';
import { type Predictions, unknownAnswer } from '../table/predictions.ts';

/** Equal bins of confidence from 0 to 1. */
export const calibrationBins = 15;

export interface Accuracy {
  readonly n: number;
  readonly top1: number;
  readonly top1Own: number | null;
  readonly ci: Interval;
  readonly top5: number | null;
  readonly probabilityTruth: number | null;
  readonly calibrationError: number | null;
}

/** Accuracy, its interval and its companions over some rows. */
export function accuracyOf(predictions: Predictions, rows: Uint32Array): Accuracy {
  const { correct, correctOwn, rank, probability, probabilityTruth } = predictions;
  let [right, rightOwn, known] = [0, 0, true];
  for (const row of rows) {
    right += correct[row];
    if (correctOwn[row] === unknownAnswer) known = false;
    else rightOwn += correctOwn[row];
  }
  const n = rows.length;
  return {
    n,
    top1: right / n,
    top1Own: known ? rightOwn / n : null,
    ci: accuracyInterval(predictions, rows, right),
    top5: rank ? meanOf(rows, (row) => (Number.isNaN(rank[row]) ? Number.NaN : rank[row] <= 5 ? 1 : 0)) : null,
    probabilityTruth: probabilityTruth ? meanOf(rows, (row) => probabilityTruth[row]) : null,
    calibrationError: probability ? calibrationError(rows, probability, correct) : null,
  };
}

function meanOf(rows: Uint32Array, value: (row: number) => number): number | null {
  let sum = 0;
  for (const row of rows) sum += value(row);
  return Number.isNaN(sum) ? null : sum / rows.length;
}

/** Expected calibration error (Guo et al., 2017): mean |accuracy − confidence| over the bins, by their share of answers. */
export function calibrationError(
  rows: ArrayLike<number>,
  probability: ArrayLike<number>,
  correct: ArrayLike<number>,
): number | null {
  const [confidence, right] = [new Float64Array(calibrationBins), new Float64Array(calibrationBins)];
  for (let i = 0; i < rows.length; i++) {
    const value = probability[rows[i]];
    if (!(value >= 0 && value <= 1)) return null;
    // Bins are open below and closed above, as in the paper; 0 belongs to the first.
    const bin = Math.max(0, Math.ceil(value * calibrationBins) - 1);
    confidence[bin] += value;
    right[bin] += correct[rows[i]];
  }
  return confidence.reduce((sum, value, bin) => sum + Math.abs(value - right[bin]), 0) / rows.length;
}

// Where images come in groups, Wilson's interval takes the number of independent images that would vary as much.
function accuracyInterval({ cluster, correct, single }: Predictions, rows: Uint32Array, right: number): Interval {
  const n = rows.length;
  if (single) return wilson(right, n);
  const sizes = new Map<number, [right: number, n: number]>();
  for (const row of rows) {
    const sums = sizes.get(cluster.codes[row]);
    if (sums) {
      sums[0] += correct[row];
      sums[1]++;
    } else sizes.set(cluster.codes[row], [correct[row], 1]);
  }
  const clusters = sizes.size;
  if (clusters === n) return wilson(right, n);
  const accuracy = right / n;
  let variance = 0;
  for (const [sum, size] of sizes.values()) variance += (sum - accuracy * size) ** 2;
  variance *= clusters / Math.max(1, clusters - 1) / (n * n);
  const independent = variance > 0 ? (accuracy * (1 - accuracy)) / variance : clusters;
  const effective = Math.min(n, Math.max(1, independent));
  return wilson(accuracy * effective, effective);
}
