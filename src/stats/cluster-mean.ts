import { type Interval, wilson } from './proportion.ts';
import { tQuantile, tTwoSided } from './student-t.ts';

export interface Mean {
  readonly n: number;
  readonly clusters: number;
  readonly mean: number | null;
  readonly ci: Interval | null;
}

export interface TestedMean extends Mean {
  /** Two-sided, of a mean of zero. */
  readonly p: number | null;
}

/**
 * Mean with an interval for values that come in clusters (groups, else source images): the cluster-robust error with
 * Stata's small-sample factor, G/(G−1), and t with G − 1 degrees of freedom. Values that are not numbers are left out;
 * the interval ends where the measure's own range does.
 */
export function clusterMean(
  values: ArrayLike<number>,
  clusters: ArrayLike<string>,
  {
    level = 0.95,
    range = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  }: { level?: number; range?: Interval } = {},
): TestedMean {
  const { n, sum, sums } = gather(values, clusters);
  const count = sums.size;
  if (n === 0) return { n, clusters: 0, mean: null, ci: null, p: null };
  const mean = sum / n;
  if (count < 2) return { n, clusters: count, mean, ci: null, p: null };
  let squares = 0;
  for (const own of sums.values()) squares += (own.sum - own.n * mean) ** 2;
  const error = Math.sqrt((count / (count - 1)) * squares) / n;
  const reach = tQuantile((1 + level) / 2, count - 1) * error;
  const p = error > 0 ? tTwoSided(mean / error, count - 1) : mean === 0 ? 1 : 0;
  return { n, clusters: count, mean, ci: [Math.max(range[0], mean - reach), Math.min(range[1], mean + reach)], p };
}

/**
 * How sure a difference is, from the squares of what each cluster adds to it. At least half a cluster of disagreement is
 * assumed, so that two sides that never differ are not called equal for certain.
 */
export function differenceByClusters(
  difference: number,
  squares: number,
  clusters: number,
): { ci: Interval | null; p: number | null } {
  if (clusters < 2) return { ci: null, p: null };
  const error = Math.sqrt(Math.max((squares * clusters) / (clusters - 1), 0.5 / clusters ** 2));
  const reach = -tQuantile(0.025, clusters - 1) * error;
  return { ci: [difference - reach, difference + reach], p: tTwoSided(difference / error, clusters - 1) };
}

/** A share of zeros and ones: Wilson's interval over as many independent images as would vary as much. */
export function clusterShare(values: ArrayLike<number>, clusters: ArrayLike<string>, level = 0.95): Mean {
  const { n, sum, sums } = gather(values, clusters);
  if (n === 0) return { n, clusters: 0, mean: null, ci: null };
  const mean = sum / n;
  const count = sums.size;
  let squares = 0;
  for (const own of sums.values()) squares += (own.sum - own.n * mean) ** 2;
  const variance = count > 1 ? ((count / (count - 1)) * squares) / (n * n) : 0;
  const independent = count === n ? n : variance > 0 ? (mean * (1 - mean)) / variance : count;
  const effective = Math.min(n, Math.max(1, independent));
  return { n, clusters: count, mean, ci: wilson(mean * effective, effective, level) };
}

function gather(values: ArrayLike<number>, clusters: ArrayLike<string>) {
  const sums = new Map<string, { sum: number; n: number }>();
  let [n, sum] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) continue;
    const own = sums.get(clusters[i]) ?? { sum: 0, n: 0 };
    sums.set(clusters[i], own);
    own.sum += values[i];
    own.n++;
    sum += values[i];
    n++;
  }
  return { n, sum, sums };
}
