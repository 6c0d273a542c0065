import type { DesignColumn } from './columns.ts';
import type { Pair } from './double-double.ts';
import * as dd from './double-double.ts';
import { type LeastSquares, lmTolerance, summarise } from './fit.ts';
import { type Qr, qr } from './qr.ts';
import { rowProducts } from './row-products.ts';

/** Least squares by Householder QR of the design, in 32 digits. */
export function householder(
  columns: readonly DesignColumn[],
  y: DesignColumn,
  weights: Float64Array | undefined,
  tolerance: number,
): LeastSquares {
  const n = y.values.length;
  const root = weights?.map(Math.sqrt);
  const x = root ? columns.map((column) => weighted(column, root)) : columns;
  const factor = qr(x, { tolerance, precision: 'extended' });
  const { kept, aliased } = factor;
  const rank = kept.length;
  const inverse = invertUpper(factor);
  const projected = factor.applyTransposed(root ? weighted(y, root) : y);
  const beta = solveUpper(factor, projected);
  const residuals = residual(columns, y, kept, beta);
  const coefficients = new Float64Array(columns.length).fill(Number.NaN);
  for (const [k, j] of kept.entries()) coefficients[j] = beta[k][0];
  // The whole fit in `rank` rows, R's columns and Qᵀy: every submodel can be fitted from them.
  const reduced = factor.r.map(toColumn);
  const response = { values: projected.high.slice(0, rank), low: projected.low.slice(0, rank) };
  const part = (order: readonly number[], precision: 'extended' | 'double' = 'extended') =>
    qr(
      order.map((j) => reduced[j]),
      { tolerance, precision },
    );
  let influence: Float64Array[] | undefined;
  const influenceRows = () => (influence ??= influenceOf(factor, inverse, n));
  return {
    ...summarise(y.values, residuals, weights),
    n,
    rank,
    df: n - rank,
    coefficients,
    kept,
    aliased,
    nearlyAliased: kept.filter((_, k) => factor.remaining[k] < lmTolerance),
    unscaled: crossProduct(inverse),
    leverage: () => {
      const h = new Float64Array(n);
      for (let k = 0; k < rank; k++) {
        const q = factor.q(k);
        for (let i = 0; i < n; i++) h[i] += q[i] * q[i];
      }
      return h.map((value) => Math.min(value, 1));
    },
    solve: (values) => rowProducts(influenceRows(), root ? root.map((weight, i) => weight * values[i]) : values),
    influence: influenceRows,
    beyond: (smaller, larger) => {
      const order = [...smaller, ...larger.filter((j) => !smaller.includes(j))];
      if (order.length === 0) return { ss: 0, df: 0 };
      const sub = part(order);
      const seen = sub.applyTransposed(response);
      let [ss, df] = [0, 0];
      for (const [k, at] of sub.kept.entries())
        if (at >= smaller.length) {
          ss += seen.high[k] ** 2;
          df++;
        }
      return { ss, df };
    },
    logDeterminant: (order) => {
      if (order.length === 0) return 0;
      const sub = part(order);
      return sub.kept.reduce((sum, at, k) => sum + 2 * Math.log(Math.abs(sub.r[at][k][0])), 0);
    },
    subspace: (base, columnsOf) => {
      const order = [...base, ...columnsOf];
      const sub = order.length ? part(order, 'double') : undefined;
      const vectors = sub?.kept.flatMap((at, k) => (at >= base.length ? [sub.q(k)] : [])) ?? [];
      const upper = kept.map((j) => reduced[j].values);
      return (beta) => squaredLength(vectors, multiplyUpper(upper, beta));
    },
  };
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

/** R⁻¹Qᵀ. */
function influenceOf(factor: Qr, inverse: Pair[][], n: number): Float64Array[] {
  const rank = inverse.length;
  const qs = Array.from({ length: rank }, (_, k) => factor.q(k));
  return Array.from({ length: rank }, (_, k) => {
    const row = new Float64Array(n);
    for (let l = k; l < rank; l++) {
      const weight = inverse[k][l][0];
      if (weight !== 0) for (let i = 0; i < n; i++) row[i] += weight * qs[l][i];
    }
    return row;
  });
}

/** y − Xβ in 32 digits, rounded at the end. */
function residual(columns: readonly DesignColumn[], y: DesignColumn, kept: number[], beta: Pair[]): Float64Array {
  const rest = { high: y.values.slice(), low: y.low?.slice() ?? new Float64Array(y.values.length) };
  const zeros = new Float64Array(y.values.length);
  for (const [k, j] of kept.entries())
    dd.addScaled(rest, dd.negate(beta[k]), { high: columns[j].values, low: columns[j].low ?? zeros }, 0);
  return rest.high;
}

/** Rβ = Qᵀy of the fitted response. */
function multiplyUpper(columns: readonly Float64Array[], beta: Float64Array): Float64Array {
  const product = new Float64Array(beta.length);
  for (const [k, column] of columns.entries()) for (let i = 0; i <= k; i++) product[i] += column[i] * beta[k];
  return product;
}

function squaredLength(vectors: readonly Float64Array[], response: Float64Array): number {
  let sum = 0;
  for (const vector of vectors) {
    let product = 0;
    for (let i = 0; i < response.length; i++) product += vector[i] * response[i];
    sum += product * product;
  }
  return sum;
}
