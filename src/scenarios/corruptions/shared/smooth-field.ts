import { reflect } from './border.ts';
import { gaussianField, gaussianWeights } from './gaussian.ts';

/**
 * `gaussianField` with reflected edges, also where sigma is hundreds of pixels: the result is then computed exactly on
 * a grid of about sigma / 12 and cubically interpolated between, which costs as much for any sigma.
 */
export function smoothField(
  field: Float64Array,
  width: number,
  height: number,
  sigma: number,
  { truncate }: { truncate: number },
): Float64Array {
  const spacing = Math.floor(sigma / 12);
  if (spacing < 2) return gaussianField(field, width, height, sigma, { border: reflect, truncate });
  const weights = gaussianWeights(sigma, truncate);
  const down = nodeCount(height, spacing);
  const rows = smoothAtNodes(field, width, height, weights, spacing);
  const nodes = smoothAtNodes(transpose(rows, width, down), down, width, weights, spacing);
  const columns = interpolateRows(nodes, down, width, spacing);
  return interpolateRows(transpose(columns, down, width), width, height, spacing);
}

/** From one node before the first row to two after the last whole step, as cubic interpolation needs. */
const nodeCount = (length: number, spacing: number) => Math.floor((length - 1) / spacing) + 4;

/** Smoothed over rows, at every node; node `m` lies at row (m − 1) × spacing. */
function smoothAtNodes(
  field: Float64Array,
  width: number,
  height: number,
  weights: Float64Array,
  spacing: number,
): Float64Array {
  const count = nodeCount(height, spacing);
  const out = new Float64Array(count * width);
  for (let node = 0; node < count; node++) {
    const folded = foldWeights(weights, (node - 1) * spacing, height);
    const sums = out.subarray(node * width, (node + 1) * width);
    for (let y = 0; y < height; y++) {
      const weight = folded[y];
      if (weight === 0) continue;
      const row = y * width;
      for (let x = 0; x < width; x++) sums[x] += weight * field[row + x];
    }
  }
  return out;
}

/** What each row counts for at a place, a kernel longer than the field running to and fro over it. */
function foldWeights(weights: Float64Array, place: number, length: number): Float64Array {
  const folded = new Float64Array(length);
  for (let k = 1 - weights.length; k < weights.length; k++) folded[reflect(place + k, length)] += weights[Math.abs(k)];
  return folded;
}

/** Catmull and Rom (1974) between the nodes. */
function interpolateRows(nodes: Float64Array, width: number, height: number, spacing: number): Float64Array {
  const out = new Float64Array(height * width);
  for (let y = 0; y < height; y++) {
    const t = (y % spacing) / spacing;
    const a = (-t + 2 * t * t - t * t * t) / 2;
    const b = (2 - 5 * t * t + 3 * t * t * t) / 2;
    const c = (t + 4 * t * t - 3 * t * t * t) / 2;
    const d = (-t * t + t * t * t) / 2;
    const first = Math.floor(y / spacing) * width;
    for (let x = 0; x < width; x++) {
      const i = first + x;
      out[y * width + x] = a * nodes[i] + b * nodes[i + width] + c * nodes[i + 2 * width] + d * nodes[i + 3 * width];
    }
  }
  return out;
}

/** `width` is of the source. */
function transpose(values: Float64Array, width: number, height: number): Float64Array {
  const out = new Float64Array(values.length);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) out[x * height + y] = values[y * width + x];
  return out;
}
