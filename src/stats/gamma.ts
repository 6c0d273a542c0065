import { logGammaDensityKernel, logIncompleteGamma } from './incomplete-gamma.ts';
import { normalQuantile } from './normal.ts';
import { quantileSearch } from './quantile-search.ts';

/** Gamma distribution of the given shape, scale 1. */
export const gammaLogCdf = (x: number, shape: number): number => logIncompleteGamma(shape, x).lower;
export const gammaLogSurvival = (x: number, shape: number): number => logIncompleteGamma(shape, x).upper;
export const gammaCdf = (x: number, shape: number): number => Math.exp(gammaLogCdf(x, shape));
export const gammaSurvival = (x: number, shape: number): number => Math.exp(gammaLogSurvival(x, shape));

export function gammaQuantile(p: number, shape: number): number {
  if (!(p >= 0 && p <= 1 && shape > 0)) return Number.NaN;
  if (p === 0) return 0;
  if (p === 1) return Number.POSITIVE_INFINITY;
  const tail = p < 0.5 ? 'lower' : 'upper';
  // Wilson and Hilferty (1931); for small shapes the cube may turn negative, the search repairs that.
  const cube = 1 - 1 / (9 * shape) + normalQuantile(p) / (3 * Math.sqrt(shape));
  return quantileSearch({
    target: tail === 'lower' ? Math.log(p) : Math.log1p(-p),
    tail,
    logTail: (x) => logIncompleteGamma(shape, x)[tail],
    logDensity: (x) => logGammaDensityKernel(shape, x) - Math.log(x),
    low: 0,
    high: Number.POSITIVE_INFINITY,
    start: Math.max(shape * cube ** 3, 1e-3 * shape),
  });
}
