import type { Grid } from '../canvas.ts';
import type { Activation } from '../graph/layer-reader.ts';
import { channelMaps } from '../graph/spatial.ts';

const mostRounds = 10_000;
const closeEnough = 1e-13;

/**
 * Eigen-CAM (Muhammad and Yeasin, 2020): the activations, positions × channels, projected on their first right singular
 * vector. It does not depend on the class. The sign, which a decomposition leaves open, is that of the activations' sum.
 */
export function eigenCam({ data, spatial }: Pick<Activation, 'data' | 'spatial'>): Grid {
  const { width, height } = spatial;
  return { width, height, data: firstProjection(channelMaps(data, spatial)) };
}

/** A·v₁ = σ₁·u₁, by power iteration on A·Aᵀ, which is as small as the map has positions. */
export function firstProjection(channels: readonly Float64Array[]): Float64Array {
  const positions = channels[0].length;
  const gram = new Float64Array(positions * positions);
  for (const map of channels)
    for (let i = 0; i < positions; i++) {
      if (map[i] === 0) continue;
      for (let j = 0; j <= i; j++) gram[i * positions + j] += map[i] * map[j];
    }
  for (let i = 0; i < positions; i++) for (let j = 0; j < i; j++) gram[j * positions + i] = gram[i * positions + j];
  const sums = Float64Array.from({ length: positions }, (_, i) => channels.reduce((sum, map) => sum + map[i], 0));
  // A start that no symmetry of the picture makes orthogonal to the answer.
  let vector = normalised(sums.map((sum, i) => sum + 1e-3 * Math.cos(1 + i * i)));
  let value = 0;
  for (let round = 0; round < mostRounds; round++) {
    const next = multiply(gram, vector);
    value = Math.hypot(...next);
    if (value === 0) return new Float64Array(positions);
    for (let i = 0; i < positions; i++) next[i] /= value;
    const moved = next.reduce((most, x, i) => Math.max(most, Math.abs(x - vector[i])), 0);
    vector = next;
    if (moved < closeEnough) break;
  }
  const sign = vector.reduce((sum, x, i) => sum + x * sums[i], 0) < 0 ? -1 : 1;
  return vector.map((x) => sign * x * Math.sqrt(value));
}

function multiply(matrix: Float64Array, vector: Float64Array): Float64Array {
  const n = vector.length;
  const out = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += matrix[i * n + j] * vector[j];
    out[i] = sum;
  }
  return out;
}

function normalised(vector: Float64Array): Float64Array {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((x) => x / length) : vector;
}
