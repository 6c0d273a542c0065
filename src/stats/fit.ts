/**
 * Below this share of its own length a column counts as a combination of those before it. R's lm uses 1e-7, which drops
 * x¹⁰ of NIST's Filip set (5e-8); true combinations of rounded numbers come out near 1e-16.
 */
export const aliasTolerance = 1e-10;

/** The tolerance of R's lm. */
export const lmTolerance = 1e-7;

export interface LeastSquares {
  readonly n: number;
  readonly rank: number;
  /** n − rank. */
  readonly df: number;
  /** NaN where aliased. */
  readonly coefficients: Float64Array;
  /** Design columns that are estimable, ascending; the order of `unscaled` and of `solve`. */
  readonly kept: number[];
  readonly aliased: number[];
  /** Kept, but so nearly combinations of others that R's lm would set them aside. */
  readonly nearlyAliased: number[];
  /** y − Xβ, not weighted. */
  readonly residuals: Float64Array;
  readonly fitted: Float64Array;
  /** Σ w e². */
  readonly rss: number;
  /** The fit is exact: the residuals are rounding error of the data. */
  readonly exact: boolean;
  /** (XᵀWX)⁻¹ over the kept columns, rank × rank. */
  readonly unscaled: Float64Array;
  /** Diagonal of the hat matrix. */
  leverage(): Float64Array;
  /** Coefficients of another response with the same design and weights. */
  solve(y: Float64Array): Float64Array;
  /** Rows of (XᵀWX)⁻¹XᵀW^½; null where they would fill the memory. */
  influence(): Float64Array[] | null;
  /** Sum of squares that `larger` explains beyond `smaller`, a part of it. */
  beyond(smaller: readonly number[], larger: readonly number[]): { ss: number; df: number };
  /** ln det XᵀWX over the given columns, aliased ones left out. */
  logDeterminant(columns: readonly number[]): number;
  /** What the columns explain beyond the base, as a function of the coefficients of the whole model. */
  subspace(base: readonly number[], columns: readonly number[]): (beta: Float64Array) => number;
}

/** Fitted values, Σ w e², and whether that is rounding alone. */
export function summarise(y: Float64Array, residuals: Float64Array, weights: Float64Array | undefined) {
  let [largest, scale] = [0, 0];
  let [sum, carry] = [0, 0];
  for (let i = 0; i < y.length; i++) {
    largest = Math.max(largest, Math.abs(residuals[i]));
    scale = Math.max(scale, Math.abs(y[i]));
    const term = residuals[i] * residuals[i] * (weights?.[i] ?? 1) - carry;
    const next = sum + term;
    carry = next - sum - term;
    sum = next;
  }
  const exact = largest <= 2 ** -50 * scale;
  return { residuals, fitted: y.map((value, i) => value - residuals[i]), rss: exact ? 0 : sum, exact };
}
