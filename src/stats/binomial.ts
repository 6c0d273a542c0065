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
