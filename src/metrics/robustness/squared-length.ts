import { normalQuantile } from '../../stats/normal.ts';
import type { Interval } from '../../stats/proportion.ts';
import { symmetricEigen } from './eigen.ts';
import { quadraticFormCdf } from './quadratic-form.ts';

/** Estimated deviations and how they vary. */
export interface Deviations {
  readonly values: Float64Array;
  /** Unbiased covariance of the values. */
  readonly covariance: Float64Array;
  /** Added to the covariance where few events would make it too small; not used for the bias. */
  readonly extra?: Float64Array;
  /** Degrees of freedom of the covariance; infinite: known. */
  readonly df?: number;
  /** Change of the logarithm of the variance with the length along the deviations (their skewness over their variance). */
  readonly tilt?: number;
}

export interface SquaredLength {
  /** Σ values². */
  readonly estimate: number;
  /** Without the part that sampling noise alone adds; may be negative. */
  readonly debiased: number;
  readonly interval: Interval;
  /** P of "all deviations are zero". */
  readonly p: number;
}

const mixture = Array.from({ length: 8 }, (_, k) => normalQuantile((k + 0.5) / 8));

/**
 * Interval of the squared length θ of a vector estimated with noise, by inverting a test of the estimated squared length Q.
 * Q's distribution under a candidate θ is that of a quadratic form in normals (saddlepoint), mixed over the uncertainty of
 * the covariance. What is not known under the candidate, which way the vector points, is taken from the estimate: the
 * missing or surplus length is laid onto the principal directions in proportion to their share of Q's variance. The level
 * moves from one tail at θ = 0 to both far from it (tail functions of Puza and O'Neill, 2006), so that the interval is
 * never empty. docs/scores.md shows its coverage; scripts/simulate-robustness.mjs measures it.
 */
export function squaredLength(deviations: Deviations, level = 0.95): SquaredLength | undefined {
  const { values, covariance, extra, df = Number.POSITIVE_INFINITY, tilt = 0 } = deviations;
  const size = values.length;
  const inflated = Float64Array.from(covariance, (value, i) => value + (extra?.[i] ?? 0));
  const estimate = values.reduce((sum, value) => sum + value * value, 0);
  const bias = trace(covariance, size);
  const noise = trace(inflated, size);
  const debiased = estimate - bias;
  if (!(noise > 0)) return undefined;
  const { values: eigenvalues, vectors } = symmetricEigen(inflated, size);
  const variances = eigenvalues.map((value) => Math.max(0, value));
  const along = new Float64Array(size);
  for (let j = 0; j < size; j++) for (let i = 0; i < size; i++) along[j] += vectors[i * size + j] * values[i];
  // Moved by the extra noise, so that its mean under a candidate stays θ plus the unbiased trace.
  const observed = estimate + noise - bias;
  const free = along.map((value, j) => value * value - variances[j]);
  const signal = Math.max(0, debiased) / Math.max(estimate, Number.MIN_VALUE);
  const scales = Number.isFinite(df) ? mixture.map((z) => df / chiSquaredAbout(df, z)) : [1];
  const scaled = new Float64Array(size);

  const cdf = (theta: number, length = observed): number => {
    const squares = layOut(theta, debiased, free, variances);
    const grown = debiased > 0 ? 1 + tilt * signal ** 2 * (Math.sqrt(debiased * theta) - debiased) : 1;
    const change = Math.min(4, Math.max(0.25, grown));
    let sum = 0;
    for (const scale of scales) {
      for (let j = 0; j < size; j++) scaled[j] = variances[j] * scale * change;
      sum += quadraticFormCdf(length, scaled, squares);
    }
    return sum / scales.length;
  };
  const spread = Math.sqrt(2 * variances.reduce((sum, value) => sum + value * value, 0));
  const alpha = 1 - level;
  const upperShare = (theta: number) => 0.5 + 0.5 * Math.exp(-theta / (2 * spread));
  const tooLong = (theta: number) => 1 - cdf(theta) - alpha * upperShare(theta);
  // Smaller deviations than nine samples in ten would show, were there no drop at all, are luck: the upper limit is then
  // computed as if they were at that tenth percentile.
  const none = new Float64Array(size);
  const lucky = crossing((q) => quadraticFormCdf(q, variances, none) - 0.1, 0, noise);
  const tooShort = (theta: number) => cdf(theta, Math.max(observed, lucky)) - alpha * (1 - upperShare(theta));

  const low = tooLong(0) >= 0 ? 0 : crossing(tooLong, 0, observed);
  let inside = Math.max(0, debiased);
  if (!(tooShort(inside) > 0)) inside = 0;
  let outside = Math.max(estimate, noise);
  while (tooShort(outside) > 0) {
    inside = outside;
    outside *= 2;
  }
  return { estimate, debiased, interval: [low, crossing(tooShort, inside, outside)], p: Math.max(0, 1 - cdf(0)) };
}

/** Squares along the principal directions under a candidate θ; they sum to θ. */
function layOut(theta: number, debiased: number, free: Float64Array, variances: Float64Array): Float64Array {
  const squares = free.map((value) => Math.max(0, value));
  stretch(squares, theta);
  const shares = new Float64Array(squares.length);
  for (let round = 0; round < 6; round++) {
    let total = 0;
    for (let j = 0; j < squares.length; j++) {
      const v = variances[j];
      // A surplus is put down to noise alone, a lack to whatever would have made Q vary under the candidate.
      shares[j] = theta < debiased ? v * v : 2 * v * v + 4 * v * squares[j];
      total += shares[j];
    }
    for (let j = 0; j < squares.length; j++)
      squares[j] = Math.max(0, free[j] + (shares[j] / total) * (theta - debiased));
    stretch(squares, theta);
  }
  return squares;
}

function stretch(squares: Float64Array, theta: number): void {
  const sum = squares.reduce((total, value) => total + value, 0);
  if (sum > 0) for (let j = 0; j < squares.length; j++) squares[j] *= theta / sum;
}

/** Where a function changes sign between two points, by the Illinois method with bisection to fall back on. */
function crossing(f: (x: number) => number, from: number, to: number): number {
  let [a, b] = [from, to];
  let [fa, fb] = [f(a), f(b)];
  for (let i = 0; i < 60 && Math.abs(b - a) > 1e-9 * Math.abs(b); i++) {
    let x = i % 3 === 2 ? (a + b) / 2 : (a * fb - b * fa) / (fb - fa);
    if (!(x > Math.min(a, b) && x < Math.max(a, b))) x = (a + b) / 2;
    const fx = f(x);
    if (fx === 0) return x;
    if (fx > 0 === fb > 0) {
      [b, fb] = [x, fx];
      fa /= 2;
    } else {
      [a, fa] = [x, fx];
      fb /= 2;
    }
  }
  return (a + b) / 2;
}

/** Wilson and Hilferty's (1931) quantile of χ², at a normal quantile. */
const chiSquaredAbout = (df: number, z: number): number => df * (1 - 2 / (9 * df) + z * Math.sqrt(2 / (9 * df))) ** 3;

function trace(matrix: Float64Array, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += matrix[i * size + i];
  return sum;
}
