import { mirror } from './border.ts';

/** Three by three around each pixel, mirrored at the edges; `weights` row after row. Sums as they are. */
export function filter3x3(
  data: ArrayLike<number>,
  width: number,
  height: number,
  weights: readonly number[],
): Float64Array {
  const out = new Float64Array(width * height);
  for (let y = 0; y < height; y++) {
    const rows = [mirror(y - 1, height) * width, y * width, mirror(y + 1, height) * width];
    for (let x = 0; x < width; x++) {
      const left = mirror(x - 1, width);
      const right = mirror(x + 1, width);
      let sum = 0;
      for (let k = 0; k < 3; k++) {
        const row = rows[k];
        sum +=
          data[row + left] * weights[3 * k] +
          data[row + x] * weights[3 * k + 1] +
          data[row + right] * weights[3 * k + 2];
      }
      out[y * width + x] = sum;
    }
  }
  return out;
}

export const boxSums = (data: ArrayLike<number>, width: number, height: number) =>
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
