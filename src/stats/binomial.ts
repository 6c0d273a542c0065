import { logBetaDensityKernel, logIncompleteBeta } from './incomplete-beta.ts';

/** ln P(X = k). */
export function binomialLogPmf(k: number, n: number, p: number): number {
  if (k < 0 || k > n || !Number.isInteger(k)) return Number.NEGATIVE_INFINITY;
  if (p === 0 || p === 1) return k === n * p ? 0 : Number.NEGATIVE_INFINITY;
  if (k === 0) return n * Math.log1p(-p);
  if (k === n) return n * Math.log(p);
  // C(n, k) pᵏ qⁿ⁻ᵏ is the beta kernel of (k, n−k) times n / (k (n−k)).
  return logBetaDensityKernel(k, n - k, p, 1 - p) + Math.log(n / (k * (n - k)));
}

export const binomialPmf = (k: number, n: number, p: number): number => Math.exp(binomialLogPmf(k, n, p));

/** P(X ≤ k). */
export function binomialCdf(k: number, n: number, p: number): number {
  const whole = Math.floor(k);
  if (whole < 0) return 0;
  if (whole >= n) return 1;
  return Math.exp(logIncompleteBeta(n - whole, whole + 1, 1 - p, p).lower);
}

/** P(X > k), in the tail. */
export function binomialSurvival(k: number, n: number, p: number): number {
  const whole = Math.floor(k);
  if (whole < 0) return 1;
  if (whole >= n) return 0;
  return Math.exp(logIncompleteBeta(n - whole, whole + 1, 1 - p, p).upper);
}

/** Exact two-sided test: all outcomes no more likely than the one seen, with R's slack of 1e-7 for ties. */
export function binomialTest(k: number, n: number, p = 0.5): number {
  if (n === 0) return 1;
  const limit = binomialLogPmf(k, n, p) + Math.log1p(1e-7);
  const mean = n * p;
  if (k === mean) return 1;
  if (k < mean) {
    // Smallest count above the mean that is no likelier than k; the probabilities fall from there on.
    const first = firstTrue(Math.ceil(mean), n + 1, (j) => binomialLogPmf(j, n, p) <= limit);
    return Math.min(1, binomialCdf(k, n, p) + binomialSurvival(first - 1, n, p));
  }
  const last = firstTrue(-Math.floor(mean), 1, (j) => binomialLogPmf(-j, n, p) <= limit);
  return Math.min(1, binomialSurvival(k - 1, n, p) + binomialCdf(-last, n, p));
}

function firstTrue(low: number, high: number, holds: (j: number) => boolean): number {
  while (low < high) {
    const mid = Math.floor((low + high) / 2);
    if (holds(mid)) high = mid;
    else low = mid + 1;
  }
  return low;
}
