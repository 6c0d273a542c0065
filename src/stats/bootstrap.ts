import type { Random } from '../contracts/random.ts';
import { sortedQuantile } from './moments.ts';
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
