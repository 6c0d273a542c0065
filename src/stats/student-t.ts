import { logBetaDensityKernel, logIncompleteBeta } from './incomplete-beta.ts';
import { logBeta } from './log-gamma.ts';
import { normalLogDensity, normalLogSurvival, normalQuantile, normalTwoSided } from './normal.ts';
import { quantileSearch } from './quantile-search.ts';

/** x and y of the incomplete beta behind t, both to full precision. */
function parts(t: number, df: number): [number, number] {
  const square = t * t;
  return square > df ? [1 / (1 + square / df), 1 / (1 + df / square)] : [df / (df + square), square / (df + square)];
}

function logTwoSided(t: number, df: number): number {
  const [x, y] = parts(t, df);
  return logIncompleteBeta(df / 2, 0.5, x, y).lower;
}

/** ln P(T > t). */
export function tLogSurvival(t: number, df: number): number {
  if (df === Number.POSITIVE_INFINITY) return normalLogSurvival(t);
  if (t >= 0) return logTwoSided(t, df) - Math.LN2;
  const [x, y] = parts(t, df);
  return Math.log1p(Math.exp(logIncompleteBeta(df / 2, 0.5, x, y).upper)) - Math.LN2;
}

export const tSurvival = (t: number, df: number): number => Math.exp(tLogSurvival(t, df));

/** Two-sided P of a t statistic. */
export const tTwoSided = (t: number, df: number): number =>
  df === Number.POSITIVE_INFINITY ? normalTwoSided(t) : Math.exp(logTwoSided(t, df));

export function tLogDensity(t: number, df: number): number {
  if (df === Number.POSITIVE_INFINITY) return normalLogDensity(t);
  if (t === 0) return -logBeta(df / 2, 0.5) - 0.5 * Math.log(df);
  const [x, y] = parts(t, df);
  // The kernel over x·y is the beta's density; |dx/dt| = 2xy/|t|, halved for one side.
  return logBetaDensityKernel(df / 2, 0.5, x, y) - Math.log(Math.abs(t));
}

export function tQuantile(p: number, df: number): number {
  if (!(p >= 0 && p <= 1 && df > 0)) return Number.NaN;
  if (p === 0.5) return 0;
  if (p > 0.5) return -tQuantile(1 - p, df);
  if (p === 0) return Number.NEGATIVE_INFINITY;
  if (df === Number.POSITIVE_INFINITY) return normalQuantile(p);
  return -quantileSearch({
    target: Math.log(p),
    logSurvival: (t) => tLogSurvival(t, df),
    logDensity: (t) => tLogDensity(t, df),
    start: -normalQuantile(p),
  });
}
