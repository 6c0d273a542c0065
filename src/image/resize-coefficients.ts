export type ResizeFilter = 'nearest' | 'box' | 'bilinear' | 'hamming' | 'bicubic' | 'lanczos';

/** Part of the source that is resampled, in pixels, fractions allowed: left, top, right, bottom. */
export type Box = readonly [left: number, top: number, right: number, bottom: number];

/** One direction of a resampling: for output `i`, `size[i]` weights from source pixel `first[i]`. */
export interface Coefficients {
  readonly taps: number;
  readonly first: Int32Array;
  readonly size: Int32Array;
  /** Fixed point, 22 bits, `taps` for each output. */
  readonly weights: Int32Array;
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
const cache = new Map<string, Coefficients>();
const cacheLimit = 64;

/** Pillow's weights for one direction, from source pixels [from, to) of `sourceSize` to `size` outputs; cached. */
export function coefficients(
  filter: Exclude<ResizeFilter, 'nearest'>,
  sourceSize: number,
  from: number,
  to: number,
  size: number,
): Coefficients {
  const key = `${filter} ${sourceSize} ${from} ${to} ${size}`;
  const known = cache.get(key);
  if (known) return known;
  if (cache.size >= cacheLimit) cache.delete(cache.keys().next().value as string);
  const made = compute(filter, sourceSize, from, to, size);
  cache.set(key, made);
  return made;
}

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
  const taps = Math.ceil(support) * 2 + 1;
  const inverse = 1 / filterScale;
  const first = new Int32Array(size);
  const count = new Int32Array(size);
  const weights = new Int32Array(size * taps);
  const raw = new Float64Array(taps);
  for (let i = 0; i < size; i++) {
    const centre = from + (i + 0.5) * scale;
    const low = Math.max(0, Math.trunc(centre - support + 0.5));
    const n = Math.min(sourceSize, Math.trunc(centre + support + 0.5)) - low;
    let sum = 0;
    for (let x = 0; x < n; x++) {
      raw[x] = at((x + low - centre + 0.5) * inverse);
      sum += raw[x];
    }
    for (let x = 0; x < n; x++) {
      const w = (sum === 0 ? raw[x] : raw[x] / sum) * fixedPoint;
      weights[i * taps + x] = Math.trunc(w < 0 ? w - 0.5 : w + 0.5);
    }
    first[i] = low;
    count[i] = n;
  }
  return { taps, first, size: count, weights };
}
