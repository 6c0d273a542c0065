import { begin, doubles, put, take } from './kernels/arena.ts';
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
  const [ar, ag, ab, b] = windowFunctions(guide, plane, options);
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

/** What is averaged over each window: red, green, blue, plane; their products with the plane; the colours' own products. */
const averaged = [
  ...[0, 1, 2, 3].map((value) => [value, 4]),
  ...[0, 1, 2].map((channel) => [channel, 3]),
  ...[0, 1, 2].flatMap((c) => [0, 1, 2].slice(c).map((d) => [c, d])),
];

/** a (three channels) and b of every pixel, averaged over its windows. */
function windowFunctions(
  { width, height, data }: Raster,
  plane: Float32Array,
  { radiusPx, epsilon }: GuidedOptions,
): Float64Array[] {
  const n = width * height;
  const stride = (n + 2) * 8;
  const kernel = begin();
  const [image, values] = [put(data), put(plane)];
  const [products, rows, sums] = [take(stride), take(stride), take((width + 2) * 8)];
  const [means, functions] = [take(stride * averaged.length), take(stride * 4)];
  averaged.forEach(([a, b], k) => {
    kernel.guidedProducts(image, values, n, a, b, products);
    kernel.boxMean(products, width, height, radiusPx, rows, sums, means + k * stride);
  });
  kernel.guidedFit(means, stride, n, epsilon, functions);
  return [0, 1, 2, 3].map((k) => {
    kernel.boxMean(functions + k * stride, width, height, radiusPx, rows, sums, products);
    return doubles(products, n).slice();
  });
}

/** Mean over a square window, cut off at the picture's edge. */
export function boxMean(values: Float64Array, width: number, height: number, radius: number): Float64Array {
  const kernel = begin();
  const [from, rows, sums] = [put(values), take((values.length + 2) * 8), take((width + 2) * 8)];
  const out = take((values.length + 2) * 8);
  kernel.boxMean(from, width, height, radius, rows, sums, out);
  return doubles(out, values.length).slice();
}
