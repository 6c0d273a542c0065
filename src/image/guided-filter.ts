import type { Raster } from './raster.ts';

export interface GuidedOptions {
  /** The windows' reach: squares of side 2 · radius + 1. */
  readonly radiusPx: number;
  /** How much a window's colours may vary before it is taken to have an edge; colours from 0 to 1. */
  readonly epsilon: number;
}

/** The filtered value at (x, y), in pixels of the guide with centres at half ones, for a pixel of this colour (0 to 1). */
export type GuidedModel = (x: number, y: number, red: number, green: number, blue: number) => number;

/**
 * Guided filter with a colour guide (He, Sun and Tang, 2013, IEEE TPAMI 35, 1397; equations 14 to 16): in every window the
 * plane is a linear function of the guide's colours, a · colour + b; a pixel takes the mean of its windows' functions. The
 * functions are kept, so that they can be asked about colours of a larger picture.
 */
export function guidedModel(guide: Raster, plane: Float32Array, options: GuidedOptions): GuidedModel {
  const { width, height } = guide;
  const functions = windowFunctions(guide, plane, options).map((values) =>
    boxMean(values, width, height, options.radiusPx),
  );
  const [ar, ag, ab, b] = functions;
  return (x, y, red, green, blue) => {
    const u = Math.min(width - 1, Math.max(0, x - 0.5));
    const v = Math.min(height - 1, Math.max(0, y - 0.5));
    const left = Math.min(width - 1, Math.floor(u));
    const top = Math.min(height - 1, Math.floor(v));
    const across = left + 1 < width ? 1 : 0;
    const down = top + 1 < height ? width : 0;
    const [fx, fy] = [u - left, v - top];
    const i = top * width + left;
    const w00 = (1 - fx) * (1 - fy);
    const w10 = fx * (1 - fy);
    const w01 = (1 - fx) * fy;
    const w11 = fx * fy;
    const at = (p: Float64Array) => w00 * p[i] + w10 * p[i + across] + w01 * p[i + down] + w11 * p[i + across + down];
    return at(ar) * red + at(ag) * green + at(ab) * blue + at(b);
  };
}

/** a (three channels) and b of every pixel's window: a = (Σ + εU)⁻¹ cov(colour, plane). */
function windowFunctions(guide: Raster, plane: Float32Array, { radiusPx, epsilon }: GuidedOptions): Float64Array[] {
  const { width, height, data } = guide;
  const n = width * height;
  const mean = (of: (i: number) => number) => {
    const values = new Float64Array(n);
    for (let i = 0; i < n; i++) values[i] = of(i);
    return boxMean(values, width, height, radiusPx);
  };
  const level = (i: number, c: number) => data[i * 3 + c] / 255;
  const m = [0, 1, 2].map((c) => mean((i) => level(i, c)));
  const mp = mean((i) => plane[i]);
  const cross = [0, 1, 2].map((c) => mean((i) => level(i, c) * plane[i]));
  const pairs = [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 2],
    [2, 2],
  ] as const;
  const second = pairs.map(([c, d]) => mean((i) => level(i, c) * level(i, d)));
  const [srr, srg, srb, sgg, sgb, sbb] = second;
  const [mr, mg, mb] = m;
  const [pr, pg, pb] = cross;
  const out = [0, 1, 2, 3].map(() => new Float64Array(n));
  const [ar, ag, ab, b] = out;
  for (let i = 0; i < n; i++) {
    const rr = srr[i] - mr[i] * mr[i] + epsilon;
    const rg = srg[i] - mr[i] * mg[i];
    const rb = srb[i] - mr[i] * mb[i];
    const gg = sgg[i] - mg[i] * mg[i] + epsilon;
    const gb = sgb[i] - mg[i] * mb[i];
    const bb = sbb[i] - mb[i] * mb[i] + epsilon;
    const cr = pr[i] - mr[i] * mp[i];
    const cg = pg[i] - mg[i] * mp[i];
    const cb = pb[i] - mb[i] * mp[i];
    // The inverse of the symmetric 3 × 3 matrix by its cofactors.
    const k00 = gg * bb - gb * gb;
    const k01 = gb * rb - rg * bb;
    const k02 = rg * gb - gg * rb;
    const k11 = rr * bb - rb * rb;
    const k12 = rb * rg - rr * gb;
    const k22 = rr * gg - rg * rg;
    const determinant = rr * k00 + rg * k01 + rb * k02;
    ar[i] = (k00 * cr + k01 * cg + k02 * cb) / determinant;
    ag[i] = (k01 * cr + k11 * cg + k12 * cb) / determinant;
    ab[i] = (k02 * cr + k12 * cg + k22 * cb) / determinant;
    b[i] = mp[i] - ar[i] * mr[i] - ag[i] * mg[i] - ab[i] * mb[i];
  }
  return out;
}

/** Mean over a square window, cut off at the picture's edge. */
export function boxMean(values: Float64Array, width: number, height: number, radius: number): Float64Array {
  const rows = new Float64Array(values.length);
  for (let y = 0; y < height; y++) {
    let sum = 0;
    const at = y * width;
    for (let x = 0; x < Math.min(radius, width); x++) sum += values[at + x];
    for (let x = 0; x < width; x++) {
      if (x + radius < width) sum += values[at + x + radius];
      if (x - radius > 0) sum -= values[at + x - radius - 1];
      rows[at + x] = sum / (Math.min(width - 1, x + radius) - Math.max(0, x - radius) + 1);
    }
  }
  const out = new Float64Array(values.length);
  const sums = new Float64Array(width);
  for (let y = 0; y < Math.min(radius, height); y++) for (let x = 0; x < width; x++) sums[x] += rows[y * width + x];
  for (let y = 0; y < height; y++) {
    const [add, drop] = [(y + radius) * width, (y - radius - 1) * width];
    const count = Math.min(height - 1, y + radius) - Math.max(0, y - radius) + 1;
    for (let x = 0; x < width; x++) {
      if (y + radius < height) sums[x] += rows[add + x];
      if (drop >= 0) sums[x] -= rows[drop + x];
      out[y * width + x] = sums[x] / count;
    }
  }
  return out;
}
