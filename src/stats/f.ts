import { logIncompleteBeta } from './incomplete-beta.ts';

export function fLogSurvival(f: number, df1: number, df2: number): number {
  if (f <= 0) return 0;
  if (f === Number.POSITIVE_INFINITY) return Number.NEGATIVE_INFINITY;
  const ratio = (df1 / df2) * f;
  return logIncompleteBeta(df1 / 2, df2 / 2, 1 / (1 + 1 / ratio), 1 / (1 + ratio)).upper;
}

export const fSurvival = (f: number, df1: number, df2: number): number => Math.exp(fLogSurvival(f, df1, df2));
