import type { Random } from '../contracts/random.ts';
import type { Neighbours } from './nearest-neighbours.ts';

// UMAP's layout (McInnes, Healy and Melville, 2018), for a = 1.577, b = 0.895 (min_dist 0.1).
const [a, b] = [1.577, 0.895];
const negatives = 5;
const strongest = 4;

/**
 * Points in two dimensions whose neighbours are the neighbours given: a fuzzy graph of nearest neighbours, laid out by
 * attraction along its edges and repulsion from random others. `start` holds the first two coordinates of every row.
 */
export function neighbourMap(
  { index, distance }: Neighbours,
  start: Float32Array,
  { n, k, epochs = 200, random }: { n: number; k: number; epochs?: number; random: Random },
): Float32Array {
  const weight = fuzzyWeights(distance, n, k);
  const map = scaled(start, n);
  const pull = (i: number, j: number, strength: number) => {
    const [dx, dy] = [map[2 * i] - map[2 * j], map[2 * i + 1] - map[2 * j + 1]];
    const squared = dx * dx + dy * dy;
    if (squared <= 0) return;
    const factor = (-2 * a * b * squared ** (b - 1)) / (1 + a * squared ** b);
    shift(i, j, factor, dx, dy, strength);
  };
  const push = (i: number, j: number, strength: number) => {
    const [dx, dy] = [map[2 * i] - map[2 * j], map[2 * i + 1] - map[2 * j + 1]];
    const squared = dx * dx + dy * dy;
    const factor = (2 * b) / ((0.001 + squared) * (1 + a * squared ** b));
    map[2 * i] += strength * clip(factor * dx);
    map[2 * i + 1] += strength * clip(factor * dy);
  };
  const shift = (i: number, j: number, factor: number, dx: number, dy: number, strength: number) => {
    const [x, y] = [strength * clip(factor * dx), strength * clip(factor * dy)];
    map[2 * i] += x;
    map[2 * i + 1] += y;
    map[2 * j] -= x;
    map[2 * j + 1] -= y;
  };
  for (let epoch = 0; epoch < epochs; epoch++) {
    const strength = 1 - epoch / epochs;
    for (let i = 0; i < n; i++)
      for (let e = i * k; e < (i + 1) * k; e++) {
        if (index[e] < 0 || random.uniform() > weight[e]) continue;
        pull(i, index[e], strength);
        for (let s = 0; s < negatives; s++) {
          const other = Math.floor(random.uniform() * n);
          if (other !== i) push(i, other, strength);
        }
      }
  }
  return map;
}

const clip = (value: number) => Math.min(strongest, Math.max(-strongest, value));

/** How surely two rows are neighbours: the nearest for certain, and log₂ k of them in all (Section 3.1). */
function fuzzyWeights(distance: Float32Array, n: number, k: number): Float32Array {
  const weight = new Float32Array(n * k);
  const wanted = Math.log2(k);
  for (let i = 0; i < n; i++) {
    const nearest = distance[i * k];
    let [low, high, width] = [0, Number.POSITIVE_INFINITY, 1];
    const at = (e: number) => Math.exp(-Math.max(0, distance[e] - nearest) / width);
    for (let round = 0; round < 48; round++) {
      let sum = 0;
      for (let e = i * k; e < (i + 1) * k; e++) sum += at(e);
      if (sum > wanted) high = width;
      else low = width;
      width = high === Number.POSITIVE_INFINITY ? 2 * width : (low + high) / 2;
    }
    for (let e = i * k; e < (i + 1) * k; e++) weight[e] = at(e);
  }
  return weight;
}

function scaled(start: Float32Array, n: number): Float32Array {
  let largest = 0;
  for (let i = 0; i < 2 * n; i++) largest = Math.max(largest, Math.abs(start[i]));
  return Float32Array.from({ length: 2 * n }, (_, i) => (10 * start[i]) / (largest || 1));
}
