import { mirror } from './border.ts';

type Numbers = Uint8Array | Uint8ClampedArray | Float32Array;

/** Three by three around each pixel, mirrored at the edges; `weights` row after row. Sums as they are. */
export function filter3x3(data: Numbers, width: number, height: number, weights: readonly number[]): Float64Array {
  const [a, b, c, d, e, f, g, h, i] = weights;
  const out = new Float64Array(width * height);
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

export const boxSums = (data: Numbers, width: number, height: number) =>
  filter3x3(data, width, height, [1, 1, 1, 1, 1, 1, 1, 1, 1]);

/** Levels spread so that each range of them is equally full: OpenCV's `equalizeHist`. */
export function equalize(data: Uint8Array): Uint8Array {
  const counts = new Uint32Array(256);
  for (const level of data) counts[level]++;
  const first = counts.findIndex((count) => count > 0);
  if (counts[first] === data.length) return data.slice();
  const scale = Math.fround(255 / (data.length - counts[first]));
  const table = new Uint8ClampedArray(256);
  for (let level = first + 1, sum = 0; level < 256; level++) {
    sum += counts[level];
    table[level] = Math.fround(sum * scale);
  }
  return data.map((level) => table[level]);
}
