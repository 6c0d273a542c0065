import { gammaCdf, gammaQuantile, gammaSurvival } from './gamma.ts';

export const chiSquaredCdf = (x: number, df: number): number => gammaCdf(x / 2, df / 2);
export const chiSquaredSurvival = (x: number, df: number): number => gammaSurvival(x / 2, df / 2);
export const chiSquaredQuantile = (p: number, df: number): number => 2 * gammaQuantile(p, df / 2);
