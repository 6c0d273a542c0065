import { logIncompleteGamma } from './incomplete-gamma.ts';

export const chiSquaredSurvival = (x: number, df: number): number => Math.exp(logIncompleteGamma(df / 2, x / 2).upper);
