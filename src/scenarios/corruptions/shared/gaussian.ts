import { begin, doubles, get, integers, kernels, put, take } from '../../../image/kernels/arena.ts';
import { createRaster, type Raster } from '../../../image/raster.ts';
import { type Border, nearest } from './border.ts';
import { levelAsShare } from './levels.ts';

/** What `skimage.filters.gaussian` does by default: the edge repeated, the kernel cut at four sigmas. */
const skimage = { border: nearest, truncate: 4 };

/** A picture smoothed in floating point and truncated to levels. */
export function gaussianLevels(image: Raster, sigma: number): Raster {
  const { width, height, data } = image;
  const { toShares, toLevels } = begin();
  const length = width * 3;
  const [bytes, out, shares] = [put(data), take(data.length), put(levelAsShare)];
  filterRows({
    width,
    height,
    channels: 3,
    weights: gaussianWeights(sigma, skimage.truncate),
    border: skimage.border,
    read: (y, row) => toShares(bytes + y * length, length, shares, row),
    write: (y, row) => toLevels(row, length, out + y * length),
  });
  return createRaster(width, height, get(out, data.length));
}

/** One layer of numbers smoothed; `field[y * width + x]`. */
export function gaussianField(
  field: Float64Array,
  width: number,
  height: number,
  sigma: number,
  { border = skimage.border, truncate = skimage.truncate }: { border?: Border; truncate?: number } = {},
): Float64Array {
  const out = new Float64Array(field.length);
  begin();
  filterRows({
    width,
    height,
    channels: 1,
    weights: gaussianWeights(sigma, truncate),
    border,
    read: (y, row) => doubles(row, width).set(field.subarray(y * width, (y + 1) * width)),
    write: (y, row) => out.set(doubles(row, width), y * width),
  });
  return out;
}

/** The middle and one side of the kernel, summing to 1 with the other side. */
export function gaussianWeights(sigma: number, truncate: number): Float64Array {
  const radius = Math.floor(truncate * sigma + 0.5);
  const weights = Float64Array.from({ length: radius + 1 }, (_, i) => Math.exp((-0.5 / (sigma * sigma)) * (i * i)));
  const sum = sumLikeNumpy(Float64Array.from({ length: 2 * radius + 1 }, (_, i) => weights[Math.abs(i - radius)]));
  return weights.map((weight) => weight / sum);
}

/**
 * In NumPy's order, eight sums side by side. It decides the last bit of the weights, and with it whether an evenly
 * coloured area keeps its level or, truncated, loses one.
 */
function sumLikeNumpy(values: Float64Array): number {
  if (values.length < 8) return values.reduce((total, value) => total + value, 0);
  if (values.length > 128) {
    const half = Math.floor(values.length / 2) & ~7;
    return sumLikeNumpy(values.subarray(0, half)) + sumLikeNumpy(values.subarray(half));
  }
  const whole = values.length & ~7;
  const [a, b, c, d, e, f, g, h] = Array.from({ length: 8 }, (_, lane) => {
    let total = values[lane];
    for (let i = lane + 8; i < whole; i += 8) total += values[i];
    return total;
  });
  return values.subarray(whole).reduce((total, value) => total + value, a + b + (c + d) + (e + f + (g + h)));
}

interface RowFilter {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** Of a symmetric kernel: the middle, then outwards. */
  readonly weights: Float64Array;
  readonly border: Border;
  /** Rows are doubles in kernel memory. */
  read(y: number, row: number): void;
  write(y: number, row: number): void;
}

/** Kernels handle sixteen numbers at a time, the last ones past the end of a row. */
const pastEnd = 128;

/**
 * Columns first, then rows, in double precision and in SciPy's order of summation. Row by row: of a large picture only
 * the rows under the kernel are held as numbers.
 */
function filterRows({ width, height, channels, weights, border, read, write }: RowFilter): void {
  const { gaussianDown, gaussianAcross, gaussianPad } = kernels();
  const radius = weights.length - 1;
  const length = width * channels;
  const slots = Math.min(height, 2 * radius + 1);
  const rows = Array.from({ length: slots }, () => take(8 * length, pastEnd));
  const margin = 8 * radius * channels;
  const middle = take(8 * length + 2 * margin, pastEnd) + margin;
  const sums = take(8 * length, pastEnd);
  const taps = put(weights);
  const before = put(Int32Array.from({ length: radius }, (_, i) => border(-1 - i, width)));
  const after = put(Int32Array.from({ length: radius }, (_, i) => border(width + i, width)));
  const under = take(4 * (2 * radius + 1));
  const addresses = integers(under, 2 * radius + 1);
  for (let y = 0, next = 0; y < height; y++) {
    for (; next < Math.min(height, y + radius + 1); next++) read(next, rows[next % slots]);
    for (let k = 0; k < addresses.length; k++) addresses[k] = rows[border(y + k - radius, height) % slots];
    gaussianDown(under, taps, radius, middle, length);
    gaussianPad(middle, radius, channels, length, before, after);
    gaussianAcross(middle, taps, radius, channels, sums, length);
    write(y, sums);
  }
}
