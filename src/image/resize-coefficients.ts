import { keepLast } from './keep-last.ts';

export type ResizeFilter = 'nearest' | 'box' | 'bilinear' | 'hamming' | 'bicubic' | 'lanczos';

/** Part of the source that is resampled, in pixels, fractions allowed: left, top, right, bottom. */
export type Box = readonly [left: number, top: number, right: number, bottom: number];

/**
 * One direction of a resampling: output `i` is the sum of `2 · pairs` source pixels from `first[i]`. Weights have 22 bits
 * after the point, split as high · 2¹¹ + low and laid out for the kernels: high, high, low, low for each pair.
 */
export interface Coefficients {
  readonly pairs: number;
  readonly first: Int32Array;
  readonly weights: Int16Array;
  /** Source pixels read: [low, high). */
  readonly low: number;
  readonly high: number;
}

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(x * Math.PI) / (x * Math.PI));

const filters: Record<Exclude<ResizeFilter, 'nearest'>, { support: number; at: (x: number) => number }> = {
  box: { support: 0.5, at: (x) => (x > -0.5 && x <= 0.5 ? 1 : 0) },
  bilinear: { support: 1, at: (x) => Math.max(0, 1 - Math.abs(x)) },
  hamming: {
    support: 1,
    at: (x) => {
      const a = Math.abs(x);
      if (a === 0) return 1;
      if (a >= 1) return 0;
      return (Math.sin(a * Math.PI) / (a * Math.PI)) * (0.54 + 0.46 * Math.cos(a * Math.PI));
    },
  },
  // Keys, 1981, a = −0.5.
  bicubic: {
    support: 2,
    at: (x) => {
      const a = Math.abs(x);
      if (a < 1) return (1.5 * a - 2.5) * a * a + 1;
      if (a < 2) return (((a - 5) * a + 8) * a - 4) * -0.5;
      return 0;
    },
  },
  lanczos: { support: 3, at: (x) => (x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0) },
};

const fixedPoint = 1 << 22;

/** Pillow's weights for one direction, from source pixels [from, to) of `sourceSize` to `size` outputs. */
export const coefficients = keepLast(16, compute);

function compute(
  filter: Exclude<ResizeFilter, 'nearest'>,
  sourceSize: number,
  from: number,
  to: number,
  size: number,
): Coefficients {
  const { support: filterSupport, at } = filters[filter];
  const scale = Math.fround(to - from) / size;
  const filterScale = Math.max(scale, 1);
  const support = filterSupport * filterScale;
  const inverse = 1 / filterScale;
  const first = new Int32Array(size);
  const end = new Int32Array(size);
  for (let i = 0; i < size; i++) {
    const centre = from + (i + 0.5) * scale;
    first[i] = Math.max(0, Math.trunc(centre - support + 0.5));
    end[i] = Math.min(sourceSize, Math.trunc(centre + support + 0.5));
  }
  const longest = first.reduce((most, low, i) => Math.max(most, end[i] - low), 1);
  const pairs = Math.ceil(longest / 2);
  const weights = new Int16Array(size * pairs * 4);
  const raw = new Float64Array(longest);
  for (let i = 0; i < size; i++) {
    const centre = from + (i + 0.5) * scale;
    const low = first[i];
    const n = end[i] - low;
    let sum = 0;
    for (let x = 0; x < n; x++) {
      raw[x] = at((x + low - centre + 0.5) * inverse);
      sum += raw[x];
    }
    // Near the end of the source the window is moved back, so that taps of weight 0 read existing pixels.
    const start = Math.max(0, Math.min(low, sourceSize - 2 * pairs));
    for (let x = 0; x < n; x++) {
      const w = (sum === 0 ? raw[x] : raw[x] / sum) * fixedPoint;
      const weight = Math.trunc(w < 0 ? w - 0.5 : w + 0.5);
      const tap = x + low - start;
      const place = (i * pairs + (tap >> 1)) * 4 + (tap & 1);
      weights[place] = weight >> 11;
      weights[place + 2] = weight & 2047;
    }
    first[i] = start;
  }
  const low = first.reduce((least, v) => Math.min(least, v), sourceSize);
  const high = end.reduce((most, v) => Math.max(most, v), 0);
  return { pairs, first, weights, low, high };
}
