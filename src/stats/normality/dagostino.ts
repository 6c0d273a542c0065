import { chiSquaredSurvival } from '../chi-squared.ts';
import { kurtosis, skewness } from '../moments.ts';
import { type NormalityResult, notTested, standardised } from './result.ts';

/** D'Agostino and Pearson's K² (D'Agostino, 1971; Anscombe and Glynn, 1983), as SciPy's normaltest. */
export function dagostino(x: ArrayLike<number>): NormalityResult {
  if (x.length < 8) return notTested(`needs at least 8 values, there are ${x.length}`);
  const z = standardised(x);
  if (!z) return notTested('all values are equal');
  const statistic = skewnessZ(skewness(z), x.length) ** 2 + kurtosisZ(kurtosis(z), x.length) ** 2;
  return { statistic, p: chiSquaredSurvival(statistic, 2) };
}

function skewnessZ(skew: number, n: number): number {
  const y = skew * Math.sqrt(((n + 1) * (n + 3)) / (6 * (n - 2)));
  const beta2 = (3 * (n * n + 27 * n - 70) * (n + 1) * (n + 3)) / ((n - 2) * (n + 5) * (n + 7) * (n + 9));
  const w2 = Math.sqrt(2 * (beta2 - 1)) - 1;
  return Math.asinh(y / Math.sqrt(2 / (w2 - 1))) / Math.sqrt(0.5 * Math.log(w2));
}

function kurtosisZ(kurt: number, n: number): number {
  const expectation = (3 * (n - 1)) / (n + 1);
  const variance = (24 * n * (n - 2) * (n - 3)) / ((n + 1) ** 2 * (n + 3) * (n + 5));
  const x = (kurt - expectation) / Math.sqrt(variance);
  const skew =
    ((6 * (n * n - 5 * n + 2)) / ((n + 7) * (n + 9))) * Math.sqrt((6 * (n + 3) * (n + 5)) / (n * (n - 2) * (n - 3)));
  const a = 6 + (8 / skew) * (2 / skew + Math.sqrt(1 + 4 / (skew * skew)));
  const denominator = 1 + x * Math.sqrt(2 / (a - 4));
  const cube = Math.sign(denominator) * Math.cbrt((1 - 2 / a) / Math.abs(denominator));
  return (1 - 2 / (9 * a) - cube) / Math.sqrt(2 / (9 * a));
}
