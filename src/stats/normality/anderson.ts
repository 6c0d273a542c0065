import { normalLogCdf } from '../normal.ts';
import { type NormalityResult, notTested, polynomial, standardised } from './result.ts';

/**
 * Anderson and Darling's A² with mean and variance estimated; P by the approximation of D'Agostino and Stephens (1986,
 * table 4.9), as R's nortest::ad.test and statsmodels' normal_ad.
 */
export function anderson(x: ArrayLike<number>): NormalityResult {
  const n = x.length;
  if (n < 8) return notTested(`needs at least 8 values, there are ${n}`);
  const z = standardised(x);
  if (!z) return notTested('all values are equal');
  let sum = 0;
  for (let i = 0; i < n; i++) sum += (2 * i + 1) * (normalLogCdf(z[i]) + normalLogCdf(-z[n - 1 - i]));
  const statistic = -n - sum / n;
  const modified = statistic * (1 + 0.75 / n + 2.25 / (n * n));
  return { statistic, p: andersonP(modified) };
}

function andersonP(a: number): number {
  if (a < 0.2) return -Math.expm1(polynomial([-13.436, 101.14, -223.73], a));
  if (a < 0.34) return -Math.expm1(polynomial([-8.318, 42.796, -59.938], a));
  if (a < 0.6) return Math.exp(polynomial([0.9177, -4.279, -1.38], a));
  // The last polynomial turns upwards far out; nortest stops it here.
  return a < 10 ? Math.exp(polynomial([1.2937, -5.709, 0.0186], a)) : 3.7e-24;
}
