import type { RankMeasure } from '../../contracts/rank.ts';
import type { Predictions } from '../table/predictions.ts';

/** A measure of one model's answers on one scenario, as a function of how often each cluster counts. */
export interface MeasuredShift {
  /** NaN where the weights leave nothing to measure. */
  value(weights?: ArrayLike<number>): number;
  /** What each cluster adds to the value, linearised. */
  readonly influence: Float64Array;
}

type AnswersToMeasure = Pick<Predictions, 'cluster' | 'correct' | 'label' | 'probability' | 'probabilityTruth'>;

/** Null where the answers do not allow it: `auroc` without two classes and their probabilities. */
export function measureRows(by: RankMeasure, source: AnswersToMeasure, rows: ArrayLike<number>): MeasuredShift | null {
  if (by === 'accuracy') return accuracyOf(source, rows, undefined);
  if (by === 'balanced') return accuracyOf(source, rows, source.label.codes);
  return aurocOf(source, rows);
}

/** Share of right answers; with classes, the mean of their shares. */
function accuracyOf(
  { cluster, correct }: AnswersToMeasure,
  rows: ArrayLike<number>,
  classes: Uint32Array | undefined,
): MeasuredShift | null {
  if (rows.length === 0) return null;
  const n = rows.length;
  const place = new Map<number, number>();
  const stratum = Uint32Array.from({ length: n }, (_, i) => {
    const code = classes ? classes[rows[i]] : 0;
    if (!place.has(code)) place.set(code, place.size);
    return place.get(code) as number;
  });
  const codes = Uint32Array.from({ length: n }, (_, i) => cluster.codes[rows[i]]);
  const right = Uint8Array.from({ length: n }, (_, i) => correct[rows[i]]);
  const shares = (weights?: ArrayLike<number>) => {
    const [sum, total] = [new Float64Array(place.size), new Float64Array(place.size)];
    for (let i = 0; i < n; i++) {
      const weight = weights ? weights[codes[i]] : 1;
      total[stratum[i]] += weight;
      sum[stratum[i]] += weight * right[i];
    }
    return { share: sum.map((value, k) => value / total[k]), total };
  };
  const mean = ({ share }: { share: Float64Array }) => share.reduce((sum, value) => sum + value, 0) / share.length;
  const { share, total } = shares();
  const influence = new Float64Array(cluster.count);
  for (let i = 0; i < n; i++)
    influence[codes[i]] += (right[i] - share[stratum[i]]) / (total[stratum[i]] * share.length);
  return { value: (weights) => mean(shares(weights)), influence };
}

/**
 * Area under the ROC curve: how often a sample of one class gets a higher score for it than one of the other, ties
 * counting half (Mann–Whitney). Its influence is the placement values' (DeLong et al., 1988).
 */
function aurocOf(source: AnswersToMeasure, rows: ArrayLike<number>): MeasuredShift | null {
  const scores = positiveScores(source, rows);
  if (!scores) return null;
  const { positive, score } = scores;
  const { cluster } = source;
  const n = rows.length;
  const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => score[a] - score[b]);
  const codes = Uint32Array.from(order, (i) => cluster.codes[rows[i]]);
  const isPositive = Uint8Array.from(order, (i) => positive[i]);
  const sorted = Float64Array.from(order, (i) => score[i]);
  /** Weights of the samples of each kind below, and at, every sample's score. */
  const sweep = (
    weights: ArrayLike<number> | undefined,
    each: (from: number, to: number, below: number[], at: number[]) => void,
  ) => {
    const below = [0, 0];
    for (let i = 0; i < n; ) {
      const at = [0, 0];
      let end = i;
      for (; end < n && sorted[end] === sorted[i]; end++) at[isPositive[end]] += weights ? weights[codes[end]] : 1;
      each(i, end, below, at);
      below[0] += at[0];
      below[1] += at[1];
      i = end;
    }
    return below;
  };
  const value = (weights?: ArrayLike<number>) => {
    let wins = 0;
    const [negatives, positives] = sweep(weights, (_from, _to, below, at) => {
      wins += at[1] * (below[0] + at[0] / 2);
    });
    return wins / (negatives * positives);
  };
  const total = [isPositive.filter((p) => !p).length, isPositive.filter((p) => p).length];
  const area = value();
  const influence = new Float64Array(cluster.count);
  sweep(undefined, (from, to, below, at) => {
    const wonByPositive = (below[0] + at[0] / 2) / total[0];
    const wonOverNegative = (total[1] - below[1] - at[1] / 2) / total[1];
    for (let i = from; i < to; i++)
      influence[codes[i]] += isPositive[i] ? (wonByPositive - area) / total[1] : (wonOverNegative - area) / total[0];
  });
  return { value, influence };
}

/** Rounding of stored probabilities. */
const tolerance = 1e-4;

/**
 * The probability of the second class; null unless there are two classes whose probabilities sum to 1, so that each
 * gives the other.
 */
function positiveScores({ label, correct, probability, probabilityTruth }: AnswersToMeasure, rows: ArrayLike<number>) {
  if (!probability || !probabilityTruth) return null;
  const classes = new Set<number>();
  for (let i = 0; i < rows.length; i++) classes.add(label.codes[rows[i]]);
  if (classes.size !== 2) return null;
  const second = Math.max(...classes);
  const positive = new Uint8Array(rows.length);
  const score = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const truth = probabilityTruth[row];
    const other = correct[row] ? 1 - truth : probability[row];
    if (!(truth >= 0) || Math.abs(truth + other - 1) > tolerance || (correct[row] && truth < 0.5 - tolerance))
      return null;
    positive[i] = label.codes[row] === second ? 1 : 0;
    // 1 − (1 − p) is not p to the last digit, and a tie must stay one.
    score[i] = Math.round((positive[i] ? truth : 1 - truth) * 1e12) / 1e12;
  }
  return { positive, score };
}
