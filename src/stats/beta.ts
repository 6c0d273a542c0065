import { logBetaDensityKernel, logIncompleteBeta } from './incomplete-beta.ts';
import { quantileSearch } from './quantile-search.ts';

export const betaCdf = (x: number, a: number, b: number): number => Math.exp(logIncompleteBeta(a, b, x).lower);

export function betaQuantile(p: number, a: number, b: number): number {
  if (!(p >= 0 && p <= 1 && a > 0 && b > 0)) return Number.NaN;
  if (p === 0 || p === 1) return p;
  const tail = p < 0.5 ? 'lower' : 'upper';
  return quantileSearch({
    target: tail === 'lower' ? Math.log(p) : Math.log1p(-p),
    tail,
    logTail: (x) => logIncompleteBeta(a, b, x)[tail],
    logDensity: (x) => logBetaDensityKernel(a, b, x, 1 - x) - Math.log(x) - Math.log1p(-x),
    low: 0,
    high: 1,
    start: a / (a + b),
  });
}
