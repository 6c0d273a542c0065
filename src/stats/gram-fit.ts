import { type DesignColumn, multiplyRows, type SparseRows, sparseRows } from './columns.ts';
import * as dd from './double-double.ts';
import { type LeastSquares, lmTolerance, summarise } from './fit.ts';
import { factorise, forwardSquares, gram, invertFactor, rightProduct, solveFactor, solveNormal } from './gram.ts';

/** Least squares by the triangle of the cross-products, summed from the non-zero entries in 32 digits. */
export function gramFit(
  columns: readonly DesignColumn[],
  y: DesignColumn,
  weights: Float64Array | undefined,
  tolerance: number,
): LeastSquares {
  const n = y.values.length;
  const rows = sparseRows(columns, n);
  // A response around its mean loses nothing when sums of squares are compared; the intercept takes the mean back.
  const centre = isIntercept(columns[0]) ? weightedMean(y.values, weights) : 0;
  const response = centre === 0 ? y : centred(y, centre);
  const products = gram(columns, rows, response, weights);
  const all = columns.map((_, j) => j);
  const factor = factorise(products, all, tolerance);
  const kept = [...factor.kept].sort((a, b) => a - b);
  const rank = kept.length;
  let inverse: Float64Array | undefined;
  const unscaled = () => (inverse ??= invertFactor(factor, kept));
  const coefficients = solveFactor(factor, columns.length);
  const known = coefficients.map((value) => (Number.isNaN(value) ? 0 : value));
  const rightSide = (values: Float64Array): Float64Array => {
    const right = new Float64Array(columns.length);
    for (let i = 0; i < n; i++) {
      const scaled = weights ? weights[i] * values[i] : values[i];
      for (let e = rows.starts[i]; e < rows.starts[i + 1]; e++) right[rows.index[e]] += rows.value[e] * scaled;
    }
    return right;
  };
  // Refinement (Björck, 1987): Xᵀr, summed in 32 digits, wins back what the triangle's 16 lost.
  for (let step = 0; step < 2; step++) {
    const correction = solveNormal(factor, rightProduct(rows, residualsOf(rows, known, response), weights));
    for (const j of kept) known[j] += correction[j];
  }
  const residuals = residualsOf(rows, known, response);
  known[0] += centre;
  for (const j of kept) coefficients[j] = known[j];
  // All submodels of one resample ask for the same right side.
  let asked: { beta: Float64Array; right: Float64Array } | undefined;
  const rightOf = (beta: Float64Array): Float64Array => {
    if (asked?.beta !== beta) {
      const full = new Float64Array(columns.length);
      for (const [k, j] of kept.entries()) full[j] = beta[k];
      // The mean belongs to the base of every submodel; without it squares are compared, not differences of large ones.
      if (centre !== 0) full[0] -= centre;
      asked = { beta, right: rightSide(multiplyRows(rows, full)) };
    }
    return asked.right;
  };
  const squares = (subset: readonly number[]) => {
    const sub = factorise(products, subset, tolerance);
    return { ss: sub.z.reduce((sum, z) => sum + z * z, 0), rank: sub.kept.length, sub };
  };
  return {
    ...summarise(y.values, residuals, weights),
    n,
    rank,
    df: n - rank,
    coefficients,
    kept,
    aliased: factor.aliased,
    nearlyAliased: factor.kept.filter((_, k) => factor.remaining[k] < lmTolerance),
    // Made when asked for: an iteration needs it in its last round only.
    get unscaled() {
      return unscaled();
    },
    leverage: () => {
      const matrix = unscaled();
      const place = new Int32Array(columns.length).fill(-1);
      for (const [k, j] of kept.entries()) place[j] = k;
      return Float64Array.from({ length: n }, (_, i) => {
        let sum = 0;
        for (let a = rows.starts[i]; a < rows.starts[i + 1]; a++)
          for (let b = rows.starts[i]; b < rows.starts[i + 1]; b++) {
            const [p, q] = [place[rows.index[a]], place[rows.index[b]]];
            if (p >= 0 && q >= 0) sum += rows.value[a] * rows.value[b] * matrix[p * rank + q];
          }
        return Math.min(1, sum * (weights?.[i] ?? 1));
      });
    },
    solve: (values) => {
      const beta = solveNormal(factor, rightSide(values));
      return Float64Array.from(kept, (j) => beta[j]);
    },
    influence: () => null,
    beyond: (smaller, larger) => {
      const [before, after] = [squares(smaller), squares(larger)];
      return { ss: Math.max(0, after.ss - before.ss), df: after.rank - before.rank };
    },
    logDeterminant: (subset) => 2 * squares(subset).sub.diagonal.reduce((sum, value) => sum + Math.log(value), 0),
    subspace: (base, subset) => {
      const [before, after] = [squares(base).sub, squares([...base, ...subset]).sub];
      return (beta) => {
        const right = rightOf(beta);
        return forwardSquares(after, right) - forwardSquares(before, right);
      };
    },
  };
}

const isIntercept = (column: DesignColumn | undefined): boolean =>
  column !== undefined && !column.ones && column.values.every((value) => value === 1);

function weightedMean(values: Float64Array, weights: Float64Array | undefined): number {
  let [sum, total] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const w = weights ? weights[i] : 1;
    sum += w * values[i];
    total += w;
  }
  return sum / total;
}

function centred({ values, low }: DesignColumn, centre: number): DesignColumn {
  const high = new Float64Array(values.length);
  const rest = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const difference = value - centre;
    const part = difference - value;
    high[i] = difference;
    rest[i] = value - (difference - part) + (-centre - part) + (low ? low[i] : 0);
  }
  return { values: high, low: rest };
}

function residualsOf({ n, starts, index, value, low }: SparseRows, beta: Float64Array, y: DesignColumn): Float64Array {
  const residuals = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let sum = y.values[i];
    let rest = y.low?.[i] ?? 0;
    for (let e = starts[i]; e < starts[i + 1]; e++) {
      const b = -beta[index[e]];
      const p = value[e] * b;
      const next = sum + p;
      const part = next - sum;
      rest += sum - (next - part) + (p - part) + dd.productError(value[e], b, p) + (low ? low[e] * b : 0);
      sum = next;
    }
    residuals[i] = sum + rest;
  }
  return residuals;
}
