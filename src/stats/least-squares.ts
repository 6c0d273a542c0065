import type { Pair } from './double-double.ts';
import * as dd from './double-double.ts';
import { type DesignColumn, type Precision, type Qr, qr } from './qr.ts';

/**
 * Below this share of its own length a column counts as a combination of those before it. R's lm uses 1e-7, which drops
 * x¹⁰ of NIST's Filip set (5e-8); true combinations of rounded numbers come out near 1e-16.
 */
export const aliasTolerance = 1e-10;

/** Multiplications (rows × columns²) up to which 32 digits are carried. */
const extendedLimit = 8e6;

export interface LeastSquares {
  readonly n: number;
  readonly rank: number;
  /** n − rank. */
  readonly df: number;
  /** NaN where aliased. */
  readonly coefficients: Float64Array;
  /** Design columns that are estimable, in order; the order of `unscaled`. */
  readonly kept: number[];
  readonly aliased: number[];
  /** y − Xβ, not weighted. */
  readonly residuals: Float64Array;
  readonly fitted: Float64Array;
  /** Σ w e². */
  readonly rss: number;
  /** The residuals are nothing but the rounding of the data. */
  readonly exact: boolean;
  /** (XᵀWX)⁻¹ over the kept columns, rank × rank. */
  readonly unscaled: Float64Array;
  /** Diagonal of the hat matrix. */
  leverage(): Float64Array;
  /** (XᵀWX)⁻¹XᵀW^½ applied row by row: entry k of row i says how much √wᵢ·yᵢ moves coefficient kept[k]. */
  influence(): Float64Array[];
  readonly reduced: Reduced;
}

/** The whole fit in `rank` rows: R's columns and Qᵀy. Every submodel can be fitted from it. */
export interface Reduced {
  /** One column per design column. */
  readonly columns: DesignColumn[];
  readonly response: DesignColumn;
}

export interface LeastSquaresOptions {
  readonly weights?: Float64Array;
  readonly tolerance?: number;
  readonly precision?: Precision | 'auto';
}

/** Least squares by Householder QR; rows of weight zero must have been left out by the caller. */
export function leastSquares(
  columns: readonly DesignColumn[],
  y: DesignColumn,
  { weights, tolerance = aliasTolerance, precision = 'auto' }: LeastSquaresOptions = {},
): LeastSquares {
  const n = y.values.length;
  const root = weights?.map(Math.sqrt);
  const x = root ? columns.map((column) => weighted(column, root)) : columns;
  const response = root ? weighted(y, root) : y;
  const chosen = precision === 'auto' ? (n * columns.length ** 2 <= extendedLimit ? 'extended' : 'double') : precision;
  const factor = qr(x, { tolerance, precision: chosen });
  const rank = factor.kept.length;
  const inverse = invertUpper(factor);
  const projected = factor.applyTransposed(response);
  const beta = solveUpper(factor, projected);
  let rest = residual(columns, y, factor.kept, beta);
  // Semi-normal refinement (Björck, 1987): Xᵀr is known to 32 digits, so each step wins back what 16 lost.
  for (let step = 0; chosen === 'double' && step < 2; step++) {
    const gradient = factor.kept.map((k) => dd.dot(pairsOf(x[k]), pairsOf(root ? weighted(rest, root) : rest), 0));
    const correction = solveNormal(factor, gradient);
    for (let k = 0; k < rank; k++) beta[k] = dd.add(beta[k], correction[k]);
    rest = residual(columns, y, factor.kept, beta);
  }
  const residuals = rest.values;
  const rss = sumSquares(residuals, weights);
  const exact = isRounding(residuals, y.values);
  const coefficients = new Float64Array(columns.length).fill(Number.NaN);
  for (const [k, j] of factor.kept.entries()) coefficients[j] = beta[k][0];
  return {
    n,
    rank,
    df: n - rank,
    coefficients,
    kept: factor.kept,
    aliased: factor.aliased,
    residuals,
    fitted: y.values.map((value, i) => value - residuals[i]),
    rss: exact ? 0 : rss,
    exact,
    unscaled: crossProduct(inverse),
    leverage: () => {
      const h = new Float64Array(n);
      for (let k = 0; k < rank; k++) {
        const q = factor.q(k);
        for (let i = 0; i < n; i++) h[i] += q[i] * q[i];
      }
      return h.map((value) => Math.min(value, 1));
    },
    influence: () => {
      const qs = Array.from({ length: rank }, (_, k) => factor.q(k));
      return Array.from({ length: rank }, (_, k) => {
        const row = new Float64Array(n);
        for (let l = k; l < rank; l++) {
          const weight = inverse[k][l][0];
          if (weight !== 0) for (let i = 0; i < n; i++) row[i] += weight * qs[l][i];
        }
        return row;
      });
    },
    reduced: {
      columns: factor.r.map(toColumn),
      response: { values: projected.high.slice(0, rank), low: projected.low.slice(0, rank) },
    },
  };
}

/** Σ of squares that a submodel of some columns explains, out of the reduced fit. */
export function explained(
  reduced: Reduced,
  subset: readonly number[],
  tolerance = aliasTolerance,
): { ss: number; rank: number } {
  if (subset.length === 0) return { ss: 0, rank: 0 };
  const factor = qr(
    subset.map((j) => reduced.columns[j]),
    { tolerance, precision: 'extended' },
  );
  const projected = factor.applyTransposed(reduced.response);
  let ss = 0;
  for (let k = 0; k < factor.kept.length; k++) ss += projected.high[k] ** 2;
  return { ss, rank: factor.kept.length };
}

/** Sum of squares that `larger` explains beyond `smaller` (a subset of it), without subtracting two large sums. */
export function explainedBeyond(
  reduced: Reduced,
  smaller: readonly number[],
  larger: readonly number[],
  tolerance = aliasTolerance,
): { ss: number; df: number } {
  const extra = larger.filter((j) => !smaller.includes(j));
  const order = [...smaller, ...extra];
  if (order.length === 0) return { ss: 0, df: 0 };
  const factor = qr(
    order.map((j) => reduced.columns[j]),
    { tolerance, precision: 'extended' },
  );
  const projected = factor.applyTransposed(reduced.response);
  let [ss, df] = [0, 0];
  for (const [k, at] of factor.kept.entries())
    if (at >= smaller.length) {
      ss += projected.high[k] ** 2;
      df++;
    }
  return { ss, df };
}

function weighted({ values, low }: DesignColumn, root: Float64Array): DesignColumn {
  const high = new Float64Array(values.length);
  const rest = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) [high[i], rest[i]] = dd.multiply([values[i], low?.[i] ?? 0], [root[i], 0]);
  return { values: high, low: rest };
}

const toColumn = (pairs: Pair[]): DesignColumn => ({
  values: Float64Array.from(pairs, (pair) => pair[0]),
  low: Float64Array.from(pairs, (pair) => pair[1]),
});

const pairsOf = ({ values, low }: DesignColumn) => ({ high: values, low: low ?? new Float64Array(values.length) });

/** (RᵀR)⁻¹g. */
function solveNormal(factor: Qr, gradient: Pair[]): Pair[] {
  const { kept, r } = factor;
  const forward: Pair[] = [];
  for (let i = 0; i < kept.length; i++) {
    let sum = gradient[i];
    for (let k = 0; k < i; k++) sum = dd.add(sum, dd.negate(dd.multiply(r[kept[i]][k], forward[k])));
    forward[i] = dd.divide(sum, r[kept[i]][i]);
  }
  const column = toColumn(forward);
  return solveUpper(factor, { high: column.values, low: column.low as Float64Array });
}

function solveUpper({ kept, r }: Qr, { high, low }: { high: Float64Array; low: Float64Array }): Pair[] {
  const beta: Pair[] = [];
  for (let i = kept.length - 1; i >= 0; i--) {
    let sum: Pair = [high[i], low[i]];
    for (let k = i + 1; k < kept.length; k++) sum = dd.add(sum, dd.negate(dd.multiply(r[kept[k]][i], beta[k])));
    beta[i] = dd.divide(sum, r[kept[i]][i]);
  }
  return beta;
}

/** Rows of R⁻¹, upper triangular. */
function invertUpper({ kept, r }: Qr): Pair[][] {
  const size = kept.length;
  const inverse: Pair[][] = Array.from({ length: size }, () => new Array<Pair>(size).fill([0, 0]));
  for (let j = 0; j < size; j++) {
    inverse[j][j] = dd.divide([1, 0], r[kept[j]][j]);
    for (let i = j - 1; i >= 0; i--) {
      let sum: Pair = [0, 0];
      for (let k = i + 1; k <= j; k++) sum = dd.add(sum, dd.multiply(r[kept[k]][i], inverse[k][j]));
      inverse[i][j] = dd.negate(dd.divide(sum, r[kept[i]][i]));
    }
  }
  return inverse;
}

function crossProduct(inverse: Pair[][]): Float64Array {
  const size = inverse.length;
  const product = new Float64Array(size * size);
  for (let i = 0; i < size; i++)
    for (let j = i; j < size; j++) {
      let sum: Pair = [0, 0];
      for (let k = j; k < size; k++) sum = dd.add(sum, dd.multiply(inverse[i][k], inverse[j][k]));
      product[i * size + j] = sum[0];
      product[j * size + i] = sum[0];
    }
  return product;
}

/** y − Xβ in 32 digits, rounded at the end. */
function residual(columns: readonly DesignColumn[], y: DesignColumn, kept: number[], beta: Pair[]): DesignColumn {
  const rest = { high: y.values.slice(), low: y.low?.slice() ?? new Float64Array(y.values.length) };
  const zeros = new Float64Array(y.values.length);
  for (const [k, j] of kept.entries())
    dd.addScaled(rest, dd.negate(beta[k]), { high: columns[j].values, low: columns[j].low ?? zeros }, 0);
  return { values: rest.high, low: rest.low };
}

function sumSquares(residuals: Float64Array, weights: Float64Array | undefined): number {
  let [sum, carry] = [0, 0];
  for (let i = 0; i < residuals.length; i++) {
    const term = residuals[i] * residuals[i] * (weights?.[i] ?? 1) - carry;
    const next = sum + term;
    carry = next - sum - term;
    sum = next;
  }
  return sum;
}

function isRounding(residuals: Float64Array, y: Float64Array): boolean {
  let [largest, scale] = [0, 0];
  for (let i = 0; i < y.length; i++) {
    largest = Math.max(largest, Math.abs(residuals[i]));
    scale = Math.max(scale, Math.abs(y[i]));
  }
  return largest <= 2 ** -50 * scale;
}
