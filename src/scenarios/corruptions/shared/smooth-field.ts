import { reflect } from './border.ts';
import { gaussianField, gaussianWeights } from './gaussian.ts';

/**
 * `gaussianField` with reflected edges, also where sigma is hundreds of pixels. The kernel is then split into a
 * constant, the weight at which its ends are cut off (`plinth`), which is summed as a running window, and the smooth
 * rest, which is computed on a grid of about sigma / 6 and interpolated between. The time does not grow with sigma.
 */
export function smoothField(
  field: Float64Array,
  width: number,
  height: number,
  sigma: number,
  { truncate }: { truncate: number },
): Float64Array {
  const spacing = Math.floor(sigma / 6);
  if (spacing < 2) return gaussianField(field, width, height, sigma, { border: reflect, truncate });
  const weights = gaussianWeights(sigma, truncate);
  const columns = smoothColumns(field, width, height, weights, spacing);
  return transpose(smoothColumns(transpose(columns, width, height), height, width, weights, spacing), height, width);
}

function smoothColumns(
  field: Float64Array,
  width: number,
  height: number,
  weights: Float64Array,
  spacing: number,
): Float64Array {
  const plinth = weights[weights.length - 1];
  const rest = weights.map((weight) => weight - plinth);
  const nodes = smoothAtNodes(field, width, height, rest, spacing);
  const out = interpolateRows(nodes, width, height, spacing);
  addWindow(out, field, width, height, weights.length - 1, plinth);
  return out;
}

/** The sum over 2 × radius + 1 rows, times the weight. */
function addWindow(
  out: Float64Array,
  field: Float64Array,
  width: number,
  height: number,
  radius: number,
  weight: number,
): void {
  const sums = new Float64Array(width);
  for (let k = -radius; k <= radius; k++) {
    const row = reflect(k, height) * width;
    for (let x = 0; x < width; x++) sums[x] += field[row + x];
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) out[y * width + x] += weight * sums[x];
    const entering = reflect(y + radius + 1, height) * width;
    const leaving = reflect(y - radius, height) * width;
    for (let x = 0; x < width; x++) sums[x] += field[entering + x] - field[leaving + x];
  }
}

/** From two nodes before the first row to three after the last whole step, as six-point interpolation needs. */
const nodeCount = (length: number, spacing: number) => Math.floor((length - 1) / spacing) + 6;

/** Smoothed over rows, at every node; node `m` lies at row (m − 2) × spacing. */
function smoothAtNodes(
  field: Float64Array,
  width: number,
  height: number,
  weights: Float64Array,
  spacing: number,
): Float64Array {
  const count = nodeCount(height, spacing);
  const out = new Float64Array(count * width);
  const folded = Array.from({ length: count }, (_, node) => foldWeights(weights, (node - 2) * spacing, height));
  // Four rows at a time, to read and write the sums less often; all nodes of them, while the rows are at hand.
  for (let y = 0; y < height; y += 4) {
    const [i, j, k, l] = [y, y + 1, y + 2, y + 3].map((row) => Math.min(row, height - 1) * width);
    for (let node = 0; node < count; node++) {
      const own = folded[node];
      const [a, b, c, d] = [own[y], own[y + 1] ?? 0, own[y + 2] ?? 0, own[y + 3] ?? 0];
      if (a === 0 && b === 0 && c === 0 && d === 0) continue;
      for (let x = 0, at = node * width; x < width; x++, at++) {
        out[at] += a * field[i + x] + b * field[j + x] + (c * field[k + x] + d * field[l + x]);
      }
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

/** Lagrange's polynomial through six nodes, between the middle two. */
function interpolateRows(nodes: Float64Array, width: number, height: number, spacing: number): Float64Array {
  const out = new Float64Array(height * width);
  for (let y = 0; y < height; y++) {
    const [a, b, c, d, e, f] = lagrangeWeights((y % spacing) / spacing);
    let i = Math.floor(y / spacing) * width;
    for (let x = 0, j = y * width; x < width; x++, i++, j++) {
      out[j] =
        a * nodes[i] +
        b * nodes[i + width] +
        c * nodes[i + 2 * width] +
        d * nodes[i + 3 * width] +
        e * nodes[i + 4 * width] +
        f * nodes[i + 5 * width];
    }
  }
  return out;
}

/** For nodes at −2 to 3 and a place t in 0 to 1. */
const lagrangeWeights = (t: number) =>
  [-2, -1, 0, 1, 2, 3].map((node, _, places) =>
    places.reduce((weight, other) => (other === node ? weight : (weight * (t - other)) / (node - other)), 1),
  );

/** `width` is of the source. */
function transpose(values: Float64Array, width: number, height: number): Float64Array {
  const out = new Float64Array(values.length);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) out[x * height + y] = values[y * width + x];
  return out;
}
