import { begin, doubles, kernels, put, take } from '../../../image/kernels/arena.ts';
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
  const { turnDoubles } = begin();
  const [values, made] = [put(field, pastEnd), take(field.byteLength, pastEnd)];
  smoothColumns(values, made, width, height, weights, spacing);
  turnDoubles(made, width, height, values);
  smoothColumns(values, made, height, width, weights, spacing);
  turnDoubles(made, height, width, values);
  return doubles(values, field.length).slice();
}

/** Kernels handle eight numbers at a time, the last ones past the end of a row. */
const pastEnd = 64;

function smoothColumns(
  field: number,
  to: number,
  width: number,
  height: number,
  weights: Float64Array,
  spacing: number,
): void {
  const { smoothNodes, sumRows, smoothRows } = kernels();
  const plinth = weights[weights.length - 1];
  const rest = weights.map((weight) => weight - plinth);
  const radius = weights.length - 1;

  const count = nodeCount(height, spacing);
  const groups = Math.ceil(height / 4) * 4;
  const folded = new Float64Array(count * groups);
  for (let node = 0; node < count; node++) foldWeights(rest, (node - 2) * spacing, height, folded, node * groups);
  const nodeStride = 8 * width + pastEnd;
  const nodes = take(count * nodeStride, pastEnd);
  smoothNodes(field, width, height, put(folded), count, nodes, nodeStride);

  const window = Int32Array.from({ length: 2 * radius + 1 }, (_, k) => reflect(k - radius, height));
  const moves = Int32Array.from({ length: 2 * height }, (_, i) =>
    reflect(i % 2 === 0 ? i / 2 + radius + 1 : (i - 1) / 2 - radius, height),
  );
  const sums = take(8 * width, pastEnd);
  sumRows(field, width, put(window), window.length, sums);
  const between = put(
    Float64Array.from(Array.from({ length: spacing }, (_, y) => lagrangeWeights(y / spacing)).flat()),
  );
  smoothRows(nodes, nodeStride, width, height, spacing, between, field, sums, put(moves), plinth, to);
}

/** From two nodes before the first row to three after the last whole step, as six-point interpolation needs. */
const nodeCount = (length: number, spacing: number) => Math.floor((length - 1) / spacing) + 6;

/**
 * What each row counts for at a place, a kernel longer than the field running to and fro over it. Node `m` lies at row
 * (m − 2) × spacing.
 */
function foldWeights(weights: Float64Array, place: number, length: number, folded: Float64Array, at: number): void {
  for (let k = 1 - weights.length; k < weights.length; k++)
    folded[at + reflect(place + k, length)] += weights[Math.abs(k)];
}

/** Lagrange's polynomial through six nodes at −2 to 3, for a place t in 0 to 1. */
const lagrangeWeights = (t: number) =>
  [-2, -1, 0, 1, 2, 3].map((node, _, places) =>
    places.reduce((weight, other) => (other === node ? weight : (weight * (t - other)) / (node - other)), 1),
  );
