import { mean, standardDeviation } from '../moments.ts';

/** A test, or the reason why it cannot be made of these numbers. */
export type NormalityResult =
  | { readonly statistic: number; readonly p: number }
  | { readonly statistic: null; readonly p: null; readonly reason: string };

export const notTested = (reason: string): NormalityResult => ({ statistic: null, p: null, reason });

/** Sorted and standardised by mean and SD (over n − 1); undefined where all values are equal. */
export function standardised(x: ArrayLike<number>): Float64Array | undefined {
  const sorted = Float64Array.from(x).sort();
  const spread = standardDeviation(sorted);
  // Equal but for rounding: no shape to test.
  if (!(spread > 1e-14 * Math.max(Math.abs(sorted[0]), Math.abs(sorted[sorted.length - 1])))) return undefined;
  const centre = mean(sorted);
  return sorted.map((value) => (value - centre) / spread);
}

export const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
