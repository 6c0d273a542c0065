import { mirror } from './border.ts';

/** Three by three around each pixel, mirrored at the edges; `weights`, whole numbers, row after row. Sums as levels. */
export function filter3x3(
  data: Uint8Array,
  width: number,
  height: number,
  weights: readonly number[],
): Uint8ClampedArray {
  const [a, b, c, d, e, f, g, h, i] = weights;
  const out = new Uint8ClampedArray(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    const up = mirror(y - 1, height) * width;
    const row = y * width;
    const down = mirror(y + 1, height) * width;
    for (let x = 0; x < width; x++, at++) {
      const left = x > 0 ? x - 1 : mirror(-1, width);
      const right = x < width - 1 ? x + 1 : mirror(width, width);
      out[at] =
        a * data[up + left] +
        b * data[up + x] +
        c * data[up + right] +
        (d * data[row + left] + e * data[row + x] + f * data[row + right]) +
        (g * data[down + left] + h * data[down + x] + i * data[down + right]);
    }
  }
  return out;
}

/**
 * Of three by three around each pixel, mirrored at the edges: columns first, then rows. Exact, and so the same in any
 * order, for whole numbers and for the fractions that `distanceTo` gives.
 */
export function boxSums(data: Uint8ClampedArray | Float32Array, width: number, height: number): Float64Array {
  const out = new Float64Array(width * height);
  const sums = new Float64Array(width + 2);
  for (let y = 0, at = 0; y < height; y++) {
    const [up, row, down] = [mirror(y - 1, height) * width, y * width, mirror(y + 1, height) * width];
    for (let x = 0; x < width; x++) sums[x + 1] = data[up + x] + data[row + x] + data[down + x];
    sums[0] = sums[mirror(-1, width) + 1];
    sums[width + 1] = sums[mirror(width, width) + 1];
    for (let x = 0; x < width; x++, at++) out[at] = sums[x] + sums[x + 1] + sums[x + 2];
  }
  return out;
}

/** Levels spread so that each range of them is equally full: OpenCV's `equalizeHist`. */
export function equalize(data: Uint8Array): Uint8Array {
  const counts = new Uint32Array(256);
  for (let i = 0; i < data.length; i++) counts[data[i]]++;
  const first = counts.findIndex((count) => count > 0);
  if (counts[first] === data.length) return data.slice();
  const scale = Math.fround(255 / (data.length - counts[first]));
  const table = new Uint8ClampedArray(256);
  for (let level = first + 1, sum = 0; level < 256; level++) {
    sum += counts[level];
    table[level] = Math.fround(sum * scale);
  }
  const out = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) out[i] = table[data[i]];
  return out;
}
