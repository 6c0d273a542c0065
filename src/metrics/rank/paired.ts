import { holm } from '../../stats/multiple.ts';
import { type Interval, wilson } from '../../stats/proportion.ts';
import { tQuantile, tTwoSided } from '../../stats/student-t.ts';
import { expandedInterval } from '../score/resample.ts';
import type { MeasuredShift } from './measure.ts';

/** A weighted sum over the scenarios; a value whose weight is 0 may be NaN. */
export const combine = (weights: Float64Array, values: ArrayLike<number>): number =>
  weights.reduce((sum, weight, s) => (weight ? sum + weight * values[s] : sum), 0);

export const pairKey = (a: number, b: number) => (a < b ? `${a} ${b}` : `${b} ${a}`);

/** Every two models, by what each cluster adds to their difference. */
export function pairedTests(measured: readonly (readonly MeasuredShift[])[], weights: Float64Array, clusters: number) {
  const influence = measured.map((cells) => {
    const sum = new Float64Array(cells[0].influence.length);
    for (const [s, cell] of cells.entries())
      if (weights[s]) for (let g = 0; g < sum.length; g++) sum[g] += weights[s] * cell.influence[g];
    return sum;
  });
  const found: { key: string; se: number; p: number }[] = [];
  for (let a = 0; a < measured.length; a++)
    for (let b = a + 1; b < measured.length; b++) {
      let variance = 0;
      for (let g = 0; g < influence[a].length; g++) variance += (influence[a][g] - influence[b][g]) ** 2;
      // A half cluster of disagreement at least, so that two models that never differ are not called equal for certain.
      const se = Math.sqrt(Math.max((variance * clusters) / Math.max(1, clusters - 1), 0.5 / clusters ** 2));
      const mean = (m: number) =>
        combine(
          weights,
          measured[m].map((cell, s) => (weights[s] ? cell.value() : 0)),
        );
      const p = clusters > 1 ? tTwoSided((mean(a) - mean(b)) / se, clusters - 1) : 1;
      found.push({ key: pairKey(a, b), se, p });
    }
  const corrected = holm(found.map(({ p }) => p));
  return new Map(found.map(({ key, se, p }, i) => [key, { se, p, pHolm: corrected[i] }]));
}

export function intervalOf(value: number, replicates: Float64Array, clusters: number): Interval | null {
  const ci = expandedInterval(replicates, clusters);
  // All right, or all wrong: resampling cannot show that this may be luck.
  return ci && ci[1] > ci[0] ? ci : clusters > 1 ? wilson(value * clusters, clusters) : null;
}

export function differenceInterval(
  difference: number,
  se: number,
  a: Float64Array,
  b: Float64Array,
  clusters: number,
): Interval | null {
  if (clusters < 2) return null;
  const ci = expandedInterval(
    a.map((value, i) => value - b[i]),
    clusters,
  );
  if (ci && ci[1] > ci[0]) return ci;
  const reach = -tQuantile(0.025, clusters - 1) * se;
  return [difference - reach, difference + reach];
}
