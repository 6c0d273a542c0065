import { normalCdf } from '../normal.ts';
import { type NormalityResult, notTested, polynomial, standardised } from './result.ts';

/**
 * Kolmogorov and Smirnov's D with mean and variance estimated (Lilliefors, 1967). P by Dallal and Wilkinson (1986) where
 * that gives at most 0.1, above by the polynomials in Stephens' (1974) modified statistic: as R's nortest::lillie.test.
 */
export function lilliefors(x: ArrayLike<number>): NormalityResult {
  const n = x.length;
  if (n < 5) return notTested(`needs at least 5 values, there are ${n}`);
  const z = standardised(x);
  if (!z) return notTested('all values are equal');
  let statistic = 0;
  for (let i = 0; i < n; i++) {
    const p = normalCdf(z[i]);
    statistic = Math.max(statistic, (i + 1) / n - p, p - i / n);
  }
  return { statistic, p: Math.min(1, Math.max(0, lillieforsP(statistic, n))) };
}

function lillieforsP(d: number, n: number): number {
  // Above 100 the statistic is brought to the size it would have at 100.
  const size = Math.min(n, 100);
  const scaled = n > 100 ? d * (n / 100) ** 0.49 : d;
  const p = Math.exp(
    -7.01256 * scaled * scaled * (size + 2.78019) +
      2.99587 * scaled * Math.sqrt(size + 2.78019) -
      0.122119 +
      0.974598 / Math.sqrt(size) +
      1.67997 / size,
  );
  if (p <= 0.1) return p;
  const modified = (Math.sqrt(n) - 0.01 + 0.85 / Math.sqrt(n)) * d;
  if (modified <= 0.302) return 1;
  if (modified <= 0.5) return polynomial([2.76773, -19.828315, 80.709644, -138.55152, 81.218052], modified);
  if (modified <= 0.9) return polynomial([-4.901232, 40.662806, -97.490286, 94.029866, -32.355711], modified);
  if (modified <= 1.31) return polynomial([6.198765, -19.558097, 23.186922, -12.234627, 2.423045], modified);
  return 0;
}
