import { begin, put, singles, take } from '../kernels/arena.ts';
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
  const [levelAlpha, levelOwn] = [take(pixels * 8), take(pixels * 12)];
  singles(before, 6).set(means(image, alpha));
  let [columns, lines] = [1, 1];
  const levels = Math.max(1, Math.ceil(Math.log2(Math.max(width, height))));
  for (let i = 1; i <= levels; i++) {
    const w = Math.round(width ** (i / levels));
    const h = Math.round(height ** (i / levels));
    const turns = w <= smallSide && h <= smallSide ? smallTurns : largeTurns;
    const from = [picture, coverage, width, height, before, columns, lines] as const;
    kernel.foregroundLevel(...from, colours, w, h, turns, levelAlpha, levelOwn);
    [before, colours, columns, lines] = [colours, before, w, h];
  }
  const found = singles(before, pixels * 6);
  const out = new Float32Array(pixels * 3);
  for (let k = 0; k < out.length; k++) out[k] = found[k * 2] * 255;
  return out;
}

/** Mean colours of what is surely object and surely background, side by side for each channel. */
function means({ data }: Raster, alpha: Float64Array): Float32Array {
  const sums = new Float64Array(8);
  for (let i = 0; i < alpha.length; i++) {
    const at = alpha[i] > 0.9 ? 0 : alpha[i] < 0.1 ? 4 : -1;
    if (at < 0) continue;
    for (let c = 0; c < 3; c++) sums[at + c] += data[i * 3 + c] / 255;
    sums[at + 3]++;
  }
  const [object, background] = [sums[3] || 1, sums[7] || 1];
  return Float32Array.from([0, 4, 1, 5, 2, 6], (at) => sums[at] / (at < 4 ? object : background));
}
