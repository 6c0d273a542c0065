import { begin, doubles, filled, put, take } from './kernels/arena.ts';
import type { Raster } from './raster.ts';

export interface GuidedOptions {
  /** The windows' reach: squares of side 2 · radius + 1. */
  readonly radiusPx: number;
  /** How much a window's colours may vary before it is taken to have an edge; colours from 0 to 1. */
  readonly epsilon: number;
}

/** A picture, as large as one likes, whose pixels lie in the guide at (`xs[x]`, `ys[y]`); centres are at half ones. */
export interface GuidedPicture {
  readonly image: Raster;
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  /** Not 0 for the pixels that are asked about. */
  readonly where: Uint8Array;
}

/** What is averaged over each window: red, green, blue, plane; their products with the plane; the colours' own products. */
const averaged = [
  ...[0, 1, 2, 3].map((value) => [value, 4]),
  ...[0, 1, 2].map((channel) => [channel, 3]),
  ...[0, 1, 2].flatMap((c) => [0, 1, 2].slice(c).map((d) => [c, d])),
];

/**
 * Guided filter with a colour guide (He, Sun and Tang, 2013, IEEE TPAMI 35, 1397; equations 14 to 16): in every window the
 * plane is a linear function of the guide's colours, a · colour + b; a pixel takes the mean of its windows' functions, which
 * are asked about the colours of another, larger picture. Returns its values, 0 where nothing was asked.
 */
export function filterGuided(
  { width, height, data }: Raster,
  plane: Float32Array,
  { radiusPx, epsilon }: GuidedOptions,
  picture: GuidedPicture,
): Float64Array {
  const n = width * height;
  const stride = (n + 2) * 8;
  const kernel = begin();
  const [guide, values] = [put(data), put(plane)];
  const [products, rows, sums] = [take(stride), take(stride), take((width + 2) * 8)];
  const [means, functions] = [take(stride * averaged.length), take(stride * 4)];
  averaged.forEach(([a, b], k) => {
    kernel.guidedProducts(guide, values, n, a, b, products);
    kernel.boxMean(products, width, height, radiusPx, rows, sums, means + k * stride);
  });
  kernel.guidedFit(means, stride, n, epsilon, functions);
  for (let k = 0; k < 4; k++) {
    kernel.boxMean(functions + k * stride, width, height, radiusPx, rows, sums, means + k * stride);
  }
  const { image, xs, ys, where } = picture;
  const asked = [put(image.data), image.width, image.height, put(xs), put(ys), put(where)] as const;
  const out = filled(where.length * 8, 0);
  kernel.guidedApply(means, stride, width, height, ...asked, out);
  return doubles(out, where.length).slice();
}
