import { gramOfRows, mirror, solveTransposed } from './matrix.ts';
import { scoresOf } from './products.ts';

/**
 * Features in coordinates of their own row space: X = Z·Qᵀ with orthonormal columns in Q, so that a weight vector and its
 * length are the same in both, and the best weights of any penalised linear model lie in it.
 */
export interface RowSpace {
  readonly n: number;
  /** Dimensions of the space. */
  readonly r: number;
  readonly z: Float64Array;
  /** Row i of z is zero from `ends[i]` on. */
  readonly ends: Int32Array;
  /** Which row of X stands in row i of z. */
  readonly order: Int32Array;
  /** Other rows of features (m × d), in the same coordinates. */
  project(rows: Float64Array, m: number): Float64Array;
  /** Weights (c × r) as weights of the features (c × d). */
  lift(weights: Float64Array, c: number): Float64Array;
}

/** With fewer rows than features, Z is the pivoted Cholesky factor of X·Xᵀ; else X serves as it is. */
export function rowSpaceOf(x: Float64Array, n: number, d: number): RowSpace {
  if (n >= d) return sameSpace(x, n, d);
  const gram = gramOfRows(x, n, d);
  mirror(gram, n);
  const { factor, order, r } = pivotedCholesky(gram, n);
  const z = new Float64Array(n * r);
  const ends = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    ends[i] = Math.min(i + 1, r);
    z.set(factor.subarray(order[i] * n, order[i] * n + ends[i]), i * r);
  }
  const pivots = new Float64Array(r * d);
  for (let i = 0; i < r; i++) pivots.set(x.subarray(order[i] * d, (order[i] + 1) * d), i * d);
  return {
    n,
    r,
    z,
    ends,
    order,
    project(rows, m) {
      const products = scoresOf(rows, pivots, { n: m, r: d, c: r });
      for (let i = 0; i < m; i++) solveForward(z, r, products.subarray(i * r, (i + 1) * r));
      return products;
    },
    lift(weights, c) {
      const lifted = new Float64Array(c * d);
      for (let k = 0; k < c; k++) {
        const shares = weights.slice(k * r, (k + 1) * r);
        solveTransposed(z, r, r, shares);
        for (let i = 0; i < r; i++) for (let j = 0; j < d; j++) lifted[k * d + j] += shares[i] * pivots[i * d + j];
      }
      return lifted;
    },
  };
}

function sameSpace(x: Float64Array, n: number, d: number): RowSpace {
  return {
    n,
    r: d,
    z: x,
    ends: new Int32Array(n).fill(d),
    order: Int32Array.from({ length: n }, (_, i) => i),
    project: (rows) => rows,
    lift: (weights) => weights.slice(),
  };
}

/**
 * Cholesky with the largest pivot first (Higham, 1990), which shows the rank: what is left below rounding is not a
 * direction of the data. Row i of the factor belongs to row i of the matrix; `order` lists the rows as they were taken.
 */
function pivotedCholesky(gram: Float64Array, n: number): { factor: Float64Array; order: Int32Array; r: number } {
  const factor = new Float64Array(n * n);
  const order = Int32Array.from({ length: n }, (_, i) => i);
  const left = Float64Array.from({ length: n }, (_, i) => gram[i * n + i]);
  const smallest = n * Number.EPSILON * left.reduce((most, value) => Math.max(most, value), 0);
  for (let j = 0; j < n; j++) {
    let best = j;
    for (let i = j + 1; i < n; i++) if (left[order[i]] > left[order[best]]) best = i;
    if (!(left[order[best]] > smallest)) return { factor, order, r: j };
    const pivot = order[best];
    order[best] = order[j];
    order[j] = pivot;
    const root = Math.sqrt(left[pivot]);
    factor[pivot * n + j] = root;
    for (let i = j + 1; i < n; i += 4) eliminateRows(factor, gram, n, j, pivot, root, order, left, i);
  }
  return { factor, order, r: n };
}

/** Column j of the factor for four rows. */
function eliminateRows(
  factor: Float64Array,
  gram: Float64Array,
  n: number,
  j: number,
  pivot: number,
  root: number,
  order: Int32Array,
  left: Float64Array,
  i: number,
): void {
  const rows = [order[i], order[Math.min(i + 1, n - 1)], order[Math.min(i + 2, n - 1)], order[Math.min(i + 3, n - 1)]];
  const a0 = rows[0] * n;
  const a1 = rows[1] * n;
  const a2 = rows[2] * n;
  const a3 = rows[3] * n;
  const p = pivot * n;
  let s0 = gram[p + rows[0]];
  let s1 = gram[p + rows[1]];
  let s2 = gram[p + rows[2]];
  let s3 = gram[p + rows[3]];
  for (let k = 0; k < j; k++) {
    const value = factor[p + k];
    s0 -= value * factor[a0 + k];
    s1 -= value * factor[a1 + k];
    s2 -= value * factor[a2 + k];
    s3 -= value * factor[a3 + k];
  }
  const sums = [s0, s1, s2, s3];
  const count = Math.min(4, n - i);
  for (let m = 0; m < count; m++) {
    const entry = sums[m] / root;
    factor[rows[m] * n + j] = entry;
    left[rows[m]] -= entry * entry;
  }
}

function solveForward(l: Float64Array, r: number, b: Float64Array): void {
  for (let j = 0; j < r; j++) {
    let sum = b[j];
    for (let m = 0; m < j; m++) sum -= l[j * r + m] * b[m];
    b[j] = sum / l[j * r + j];
  }
}
