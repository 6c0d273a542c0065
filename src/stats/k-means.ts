import type { Random } from '../contracts/random.ts';

/** Lloyd's clusters from k-means++ starts (Arthur and Vassilvitskii, 2007); the cluster of every row. */
export function kMeans(
  rows: Float32Array,
  { n, d, k, random, rounds = 60 }: { n: number; d: number; k: number; random: Random; rounds?: number },
): Int32Array {
  const centres = startCentres(rows, n, d, k, random);
  const cluster = new Int32Array(n).fill(-1);
  for (let round = 0; round < rounds; round++) {
    let moved = 0;
    for (let i = 0; i < n; i++) {
      let [best, least] = [0, Number.POSITIVE_INFINITY];
      for (let c = 0; c < k; c++) {
        const squared = squaredDistance(rows, i * d, centres, c * d, d);
        if (squared < least) [best, least] = [c, squared];
      }
      if (cluster[i] !== best) moved++;
      cluster[i] = best;
    }
    if (!moved) break;
    const counts = new Float64Array(k);
    const sums = new Float64Array(k * d);
    for (let i = 0; i < n; i++) {
      counts[cluster[i]]++;
      for (let a = 0; a < d; a++) sums[cluster[i] * d + a] += rows[i * d + a];
    }
    for (let c = 0; c < k; c++)
      if (counts[c]) for (let a = 0; a < d; a++) centres[c * d + a] = sums[c * d + a] / counts[c];
  }
  return cluster;
}

function startCentres(rows: Float32Array, n: number, d: number, k: number, random: Random): Float64Array {
  const centres = new Float64Array(k * d);
  const nearest = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  let chosen = random.integer(0, n - 1);
  for (let c = 0; c < k; c++) {
    for (let a = 0; a < d; a++) centres[c * d + a] = rows[chosen * d + a];
    let sum = 0;
    for (let i = 0; i < n; i++)
      sum += nearest[i] = Math.min(nearest[i], squaredDistance(rows, i * d, centres, c * d, d));
    let left = random.uniform() * sum;
    for (chosen = 0; chosen < n - 1 && (left -= nearest[chosen]) > 0; ) chosen++;
  }
  return centres;
}

function squaredDistance(x: Float32Array, i: number, y: Float64Array, j: number, d: number): number {
  let sum = 0;
  for (let a = 0; a < d; a++) sum += (x[i + a] - y[j + a]) ** 2;
  return sum;
}
