import { logBetaDensityKernel, logIncompleteBeta } from './incomplete-beta.ts';
import { quantileSearch } from './quantile-search.ts';

function logTails(f: number, df1: number, df2: number) {
  if (f <= 0) return { lower: Number.NEGATIVE_INFINITY, upper: 0 };
  if (f === Number.POSITIVE_INFINITY) return { lower: 0, upper: Number.NEGATIVE_INFINITY };
  const ratio = (df1 / df2) * f;
  return logIncompleteBeta(df1 / 2, df2 / 2, 1 / (1 + 1 / ratio), 1 / (1 + ratio));
}

export const fCdf = (f: number, df1: number, df2: number): number => Math.exp(logTails(f, df1, df2).lower);
export const fLogSurvival = (f: number, df1: number, df2: number): number => logTails(f, df1, df2).upper;
export const fSurvival = (f: number, df1: number, df2: number): number => Math.exp(fLogSurvival(f, df1, df2));

export function fQuantile(p: number, df1: number, df2: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p === 0) return 0;
  if (p === 1) return Number.POSITIVE_INFINITY;
  const tail = p < 0.5 ? 'lower' : 'upper';
  return quantileSearch({
    target: tail === 'lower' ? Math.log(p) : Math.log1p(-p),
    tail,
    logTail: (f) => logTails(f, df1, df2)[tail],
    logDensity: (f) => {
      const ratio = (df1 / df2) * f;
      return logBetaDensityKernel(df1 / 2, df2 / 2, 1 / (1 + 1 / ratio), 1 / (1 + ratio)) - Math.log(f);
    },
    low: 0,
    high: Number.POSITIVE_INFINITY,
    start: 1,
  });
}
