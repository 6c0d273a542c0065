import { begin, doubles, put, singles, take } from '../kernels/arena.ts';
import type { Raster } from '../raster.ts';

/** Levels up to this side are small enough to be solved well. */
const smallSide = 32;
const smallTurns = 10;
const largeTurns = 2;

/**
 * The object's own colours (0 to 255, three a pixel) of a picture that mixes it with its background by `alpha`: fast
 * multi-level foreground estimation (Germer, Uelwer, Conrad and Harmeling, 2020, arXiv:2006.14970, algorithm 1), from one
 * pixel up to the full size, each level starting from the one before.
 */
export function estimateForeground(image: Raster, alpha: Float64Array): Float32Array {
  const { width, height } = image;
  const pixels = width * height;
  const kernel = begin();
  const picture = put(image.data);
  const coverage = put(alpha);
  let [before, colours] = [take(pixels * 24), take(pixels * 24)];
  const [levelAlpha, levelOwn, nearest] = [take(pixels * 8), take(pixels * 12), take(width * 8)];
  const [sums, own] = [take(64), take(pixels * 12)];
  kernel.foregroundMeans(picture, coverage, pixels, sums);
  singles(before, 6).set(means(doubles(sums, 8)));
  let [columns, lines] = [1, 1];
  const levels = Math.max(1, Math.ceil(Math.log2(Math.max(width, height))));
  for (let i = 1; i <= levels; i++) {
    const w = Math.round(width ** (i / levels));
    const h = Math.round(height ** (i / levels));
    const turns = w <= smallSide && h <= smallSide ? smallTurns : largeTurns;
    const from = [picture, coverage, width, height, before, columns, lines] as const;
    kernel.foregroundLevel(...from, colours, w, h, turns, levelAlpha, levelOwn, nearest);
    [before, colours, columns, lines] = [colours, before, w, h];
  }
  kernel.foregroundOwn(before, pixels * 3, own);
  return singles(own, pixels * 3).slice();
}

/** Mean colours of what is surely object and surely background, side by side for each channel. */
function means(sums: Float64Array): Float32Array {
  const [object, background] = [sums[3] || 1, sums[7] || 1];
  return Float32Array.from([0, 4, 1, 5, 2, 6], (at) => sums[at] / (at < 4 ? object : background));
}
