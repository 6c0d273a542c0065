import type { Random } from '../contracts/random.ts';
import { mean, sortedQuantile } from './moments.ts';
import { normalCdf, normalQuantile } from './normal.ts';
import type { Interval } from './proportion.ts';

/** Fills `counts` with how often each unit is drawn in one resample of as many units (clusters, images, groups). */
export function drawCounts(random: Random, counts: Uint16Array | Uint32Array): void {
  counts.fill(0);
  const last = counts.length - 1;
  for (let i = 0; i <= last; i++) counts[random.integer(0, last)]++;
}

/** As `drawCounts`, keeping the number drawn from each stratum as it is (`members[s]`: the units of stratum s). */
export function drawStratified(
  random: Random,
  members: readonly ArrayLike<number>[],
  counts: Uint16Array | Uint32Array,
) {
  counts.fill(0);
  for (const units of members)
    for (let i = 0; i < units.length; i++) counts[units[random.integer(0, units.length - 1)]]++;
}

/** Runs a statistic of drawn counts `replicates` times; rows of NaN (a resample without an answer) are left out. */
export function bootstrap(
  units: number,
  statistic: (counts: Uint16Array) => ArrayLike<number>,
  { random, replicates = 999 }: { random: Random; replicates?: number },
): Float64Array[] {
  const counts = new Uint16Array(units);
  const rows: Float64Array[] = [];
  for (let b = 0; b < replicates; b++) {
    drawCounts(random, counts);
    const row = Float64Array.from(statistic(counts));
    if (!row.some(Number.isNaN)) rows.push(row);
  }
  return rows;
}

/** The middle share of the replicates. */
export function percentileInterval(replicates: ArrayLike<number>, level = 0.95): Interval {
  const sorted = Float64Array.from(replicates).sort();
  if (sorted.length === 0) return [Number.NaN, Number.NaN];
  return [sortedQuantile(sorted, (1 - level) / 2), sortedQuantile(sorted, (1 + level) / 2)];
}

/**
 * Bias-corrected and accelerated interval (Efron, 1987). `jackknife`: the statistic with each unit left out in turn.
 */
export function bcaInterval(
  replicates: ArrayLike<number>,
  { estimate, jackknife, level = 0.95 }: { estimate: number; jackknife: ArrayLike<number>; level?: number },
): Interval {
  const sorted = Float64Array.from(replicates).sort();
  let below = 0;
  for (const value of sorted) below += value < estimate ? 1 : value === estimate ? 0.5 : 0;
  const share = below / sorted.length;
  // All replicates on one side: nothing to correct with.
  if (!(share > 0 && share < 1)) return percentileInterval(sorted, level);
  const bias = normalQuantile(share);
  const acceleration = accelerationOf(jackknife);
  const at = (p: number) => {
    const z = bias + normalQuantile(p);
    return sortedQuantile(sorted, normalCdf(bias + z / (1 - acceleration * z)));
  };
  return [at((1 - level) / 2), at((1 + level) / 2)];
}

function accelerationOf(jackknife: ArrayLike<number>): number {
  const centre = mean(jackknife);
  let [cubes, squares] = [0, 0];
  for (let i = 0; i < jackknife.length; i++) {
    const gap = centre - jackknife[i];
    cubes += gap ** 3;
    squares += gap ** 2;
  }
  return squares > 0 ? cubes / (6 * squares ** 1.5) : 0;
}
