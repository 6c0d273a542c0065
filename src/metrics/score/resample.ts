import type { Random } from '../../contracts/random.ts';
import { drawCounts } from '../../stats/bootstrap.ts';
import { sortedQuantile } from '../../stats/moments.ts';
import { normalCdf } from '../../stats/normal.ts';
import type { Interval } from '../../stats/proportion.ts';
import { tQuantile } from '../../stats/student-t.ts';
import type { ClusterSums } from '../table/cluster-sums.ts';

/** How often each cluster is drawn in each resample; the same draws serve every model and scenario. */
export interface Draws {
  readonly replicates: number;
  readonly clusters: number;
  readonly counts: Uint8Array;
}

export function drawResamples(clusters: number, { random, replicates }: { random: Random; replicates: number }): Draws {
  const counts = new Uint8Array(replicates * clusters);
  const one = new Uint16Array(clusters);
  for (let b = 0; b < replicates; b++) {
    drawCounts(random, one);
    counts.set(one, b * clusters);
  }
  return { replicates, clusters, counts };
}

/** Accuracy of every cell in every resample (`[replicate * cells + cell]`); NaN where a resample holds no answer. */
export function resampledAccuracies({ replicates, clusters, counts }: Draws, sums: ClusterSums): Float64Array {
  const { cells, right, count } = sums;
  if (count.every((value) => value === 1)) return accuraciesOfSingles({ replicates, clusters, counts }, sums);
  const result = new Float64Array(replicates * cells);
  const n = new Float64Array(cells);
  for (let b = 0; b < replicates; b++) {
    n.fill(0);
    const out = b * cells;
    for (let g = 0; g < clusters; g++) {
      const drawn = counts[b * clusters + g];
      if (drawn === 0) continue;
      const at = g * cells;
      for (let c = 0; c < cells; c++) {
        result[out + c] += drawn * right[at + c];
        n[c] += drawn * count[at + c];
      }
    }
    for (let c = 0; c < cells; c++) result[out + c] /= n[c];
  }
  return result;
}

/**
 * The same where every cluster has one answer in every cell: each resample holds as many answers as there are clusters.
 * Right answers of several cells are counted in one number, each in bits of its own; the sums are whole and fit.
 */
function accuraciesOfSingles({ replicates, clusters, counts }: Draws, { cells, right }: ClusterSums): Float64Array {
  const span = 2 ** Math.ceil(Math.log2(clusters + 1));
  const together = Math.max(1, Math.floor(53 / Math.log2(span)));
  const result = new Float64Array(replicates * cells);
  const packed = new Float64Array(clusters);
  for (let first = 0; first < cells; first += together) {
    const last = Math.min(first + together, cells) - 1;
    for (let g = 0; g < clusters; g++) {
      packed[g] = 0;
      for (let c = last; c >= first; c--) packed[g] = packed[g] * span + right[g * cells + c];
    }
    for (let b = 0; b < replicates; b++) {
      let sum = 0;
      for (let g = 0, at = b * clusters; g < clusters; g++, at++) sum += counts[at] * packed[g];
      for (let c = first; c <= last; c++) {
        const rest = Math.floor(sum / span);
        result[b * cells + c] = (sum - rest * span) / clusters;
        sum = rest;
      }
    }
  }
  return result;
}

/** Σa / Σm in every resample. */
export function resampledRatio({ replicates, clusters, counts }: Draws, a: Float64Array, m: Float64Array) {
  const result = new Float64Array(replicates);
  for (let b = 0; b < replicates; b++) {
    let [sum, n] = [0, 0];
    for (let g = 0; g < clusters; g++) {
      const drawn = counts[b * clusters + g];
      if (drawn === 0) continue;
      sum += drawn * a[g];
      n += drawn * m[g];
    }
    result[b] = sum / n;
  }
  return result;
}

/**
 * The middle of the replicates, widened as a t interval is over a normal one: a percentile interval of few clusters is
 * too narrow by about that much (Hesterberg, 2015, The American Statistician 69, 371, §3.4).
 */
export function expandedInterval(replicates: Float64Array, clusters: number, level = 0.95): Interval | null {
  const sorted = replicates.filter((value) => !Number.isNaN(value)).sort();
  if (sorted.length < 20 || clusters < 2) return null;
  const tail = normalCdf(Math.sqrt(clusters / (clusters - 1)) * tQuantile((1 - level) / 2, clusters - 1));
  return [sortedQuantile(sorted, tail), sortedQuantile(sorted, 1 - tail)];
}
