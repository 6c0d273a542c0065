import { createRaster, type Raster } from '../../../image/raster.ts';
import { type Border, nearest } from './border.ts';
import { toLevel, unit } from './levels.ts';

/** What `skimage.filters.gaussian` does by default: the edge repeated, the kernel cut at four sigmas. */
const skimage = { border: nearest, truncate: 4 };

/** A picture smoothed in floating point and truncated to levels. */
export function gaussianLevels(image: Raster, sigma: number): Raster {
  const { width, height, data } = image;
  const out = createRaster(width, height);
  const length = width * 3;
  filterRows({
    width,
    height,
    channels: 3,
    weights: gaussianWeights(sigma, skimage.truncate),
    border: skimage.border,
    read: (y, row) => {
      for (let i = 0, j = y * length; i < length; i++, j++) row[i] = unit[data[j]];
    },
    write: (y, row) => {
      for (let i = 0, j = y * length; i < length; i++, j++) out.data[j] = toLevel(row[i]);
    },
  });
  return out;
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
  filterRows({
    width,
    height,
    channels: 1,
    weights: gaussianWeights(sigma, truncate),
    border,
    read: (y, row) => row.set(field.subarray(y * width, (y + 1) * width)),
    write: (y, row) => out.set(row, y * width),
  });
  return out;
}

/** The middle and one side of the kernel, summing to 1 with the other side. */
export function gaussianWeights(sigma: number, truncate: number): Float64Array {
  const radius = Math.floor(truncate * sigma + 0.5);
  const weights = Float64Array.from({ length: radius + 1 }, (_, i) => Math.exp((-0.5 / (sigma * sigma)) * (i * i)));
  const sum = weights.reduce((total, weight) => total + 2 * weight, -1);
  return weights.map((weight) => weight / sum);
}

interface RowFilter {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** Of a symmetric kernel: the middle, then outwards. */
  readonly weights: Float64Array;
  readonly border: Border;
  read(y: number, row: Float64Array): void;
  write(y: number, row: Float64Array): void;
}

/**
 * Columns first, then rows, in double precision and in SciPy's order of summation. Row by row: of a large picture only
 * the rows under the kernel are held as numbers.
 */
function filterRows({ width, height, channels, weights, border, read, write }: RowFilter): void {
  const radius = weights.length - 1;
  const length = width * channels;
  const slots = Math.min(height, 2 * radius + 1);
  const rows = Array.from({ length: slots }, () => new Float64Array(length));
  const row = (y: number) => rows[border(y, height) % slots];
  const margin = radius * channels;
  const padded = new Float64Array(length + 2 * margin);
  const middle = padded.subarray(margin, margin + length);
  const sums = new Float64Array(length);
  const before = Int32Array.from({ length: radius }, (_, i) => border(-1 - i, width));
  const after = Int32Array.from({ length: radius }, (_, i) => border(width + i, width));
  let next = 0;
  for (let y = 0; y < height; y++) {
    for (; next < Math.min(height, y + radius + 1); next++) read(next, rows[next % slots]);
    accumulateRows(middle, weights, row(y), (k) => [row(y - k), row(y + k)]);
    for (let i = 0; i < radius; i++) {
      for (let c = 0; c < channels; c++) {
        padded[margin - (i + 1) * channels + c] = middle[before[i] * channels + c];
        padded[margin + length + i * channels + c] = middle[after[i] * channels + c];
      }
    }
    accumulateColumns(sums, weights, padded, margin, channels);
    write(y, sums);
  }
}

function accumulateRows(
  out: Float64Array,
  weights: Float64Array,
  centre: Float64Array,
  pair: (distance: number) => [Float64Array, Float64Array],
): void {
  const { length } = out;
  const first = weights[0];
  for (let i = 0; i < length; i++) out[i] = centre[i] * first;
  for (let k = weights.length - 1; k > 0; k--) {
    const [above, below] = pair(k);
    const weight = weights[k];
    for (let i = 0; i < length; i++) out[i] += (above[i] + below[i]) * weight;
  }
}

function accumulateColumns(
  out: Float64Array,
  weights: Float64Array,
  padded: Float64Array,
  margin: number,
  channels: number,
): void {
  const { length } = out;
  const first = weights[0];
  for (let i = 0; i < length; i++) out[i] = padded[margin + i] * first;
  for (let k = weights.length - 1; k > 0; k--) {
    const weight = weights[k];
    const left = margin - k * channels;
    const right = margin + k * channels;
    for (let i = 0; i < length; i++) out[i] += (padded[left + i] + padded[right + i]) * weight;
  }
}
