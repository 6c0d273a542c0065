import { createRaster, type Raster } from '../../../image/raster.ts';
import { type Border, nearest } from './border.ts';
import { levelAsShare, toLevel } from './levels.ts';

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
      for (let i = 0, j = y * length; i < length; i++, j++) row[i] = levelAsShare[data[j]];
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
    accumulateRows(middle, weights, row(y), (offset) => row(y + offset));
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

// Both loops below take up to four taps at a time, which saves reading and writing the sums and changes no bit of them.

function accumulateRows(
  out: Float64Array,
  weights: Float64Array,
  centre: Float64Array,
  row: (offset: number) => Float64Array,
): void {
  const { length } = out;
  const first = weights[0];
  let k = weights.length - 1;
  if (k % 2 === 1) {
    const [above, below, weight] = [row(-k), row(k), weights[k]];
    for (let i = 0; i < length; i++) out[i] = centre[i] * first + (above[i] + below[i]) * weight;
    k--;
  } else for (let i = 0; i < length; i++) out[i] = centre[i] * first;
  for (; k >= 4; k -= 4) {
    const [a, b, s] = [row(-k), row(k), weights[k]];
    const [c, d, t] = [row(1 - k), row(k - 1), weights[k - 1]];
    const [e, f, u] = [row(2 - k), row(k - 2), weights[k - 2]];
    const [g, h, v] = [row(3 - k), row(k - 3), weights[k - 3]];
    for (let i = 0; i < length; i++)
      out[i] = out[i] + (a[i] + b[i]) * s + (c[i] + d[i]) * t + (e[i] + f[i]) * u + (g[i] + h[i]) * v;
  }
  for (; k > 0; k -= 2) {
    const [above, below, weight] = [row(-k), row(k), weights[k]];
    const [nearAbove, nearBelow, nearWeight] = [row(1 - k), row(k - 1), weights[k - 1]];
    for (let i = 0; i < length; i++) {
      out[i] = out[i] + (above[i] + below[i]) * weight + (nearAbove[i] + nearBelow[i]) * nearWeight;
    }
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
  let k = weights.length - 1;
  let left = margin - k * channels;
  let right = margin + k * channels;
  if (k % 2 === 1) {
    const weight = weights[k];
    for (let i = 0; i < length; i++)
      out[i] = padded[margin + i] * first + (padded[left + i] + padded[right + i]) * weight;
    k--;
    left += channels;
    right -= channels;
  } else for (let i = 0; i < length; i++) out[i] = padded[margin + i] * first;
  for (; k >= 4; k -= 4) {
    const [s, t, u, v] = [weights[k], weights[k - 1], weights[k - 2], weights[k - 3]];
    const [c, e, g] = [left + channels, left + 2 * channels, left + 3 * channels];
    const [d, f, h] = [right - channels, right - 2 * channels, right - 3 * channels];
    for (let i = 0; i < length; i++) {
      out[i] =
        out[i] +
        (padded[left + i] + padded[right + i]) * s +
        (padded[c + i] + padded[d + i]) * t +
        (padded[e + i] + padded[f + i]) * u +
        (padded[g + i] + padded[h + i]) * v;
    }
    left += 4 * channels;
    right -= 4 * channels;
  }
  for (; k > 0; k -= 2) {
    const weight = weights[k];
    const nearWeight = weights[k - 1];
    const nearLeft = left + channels;
    const nearRight = right - channels;
    for (let i = 0; i < length; i++) {
      out[i] =
        out[i] +
        (padded[left + i] + padded[right + i]) * weight +
        (padded[nearLeft + i] + padded[nearRight + i]) * nearWeight;
    }
    left += 2 * channels;
    right -= 2 * channels;
  }
}
