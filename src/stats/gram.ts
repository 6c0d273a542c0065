import type { DesignColumn, SparseRows } from './columns.ts';
import { disjointBlocks } from './columns.ts';
import { productError } from './double-double.ts';

/** XᵀWX and XᵀWy in 32 digits, from the non-zero entries alone. */
export interface Gram {
  readonly size: number;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly right: { readonly high: Float64Array; readonly low: Float64Array };
  /** Columns to be eliminated first: the largest block of indicators without a common row, which fills in nothing. */
  readonly first: readonly number[];
}

export function gram(
  columns: readonly DesignColumn[],
  rows: SparseRows,
  y: { values: Float64Array; low?: Float64Array },
  weights?: Float64Array,
): Gram {
  const size = columns.length;
  const high = new Float64Array(size * size);
  const low = new Float64Array(size * size);
  const right = { high: new Float64Array(size), low: new Float64Array(size) };
  const { starts, index, value, low: rest } = rows;
  for (let i = 0; i < rows.n; i++) {
    const w = weights ? weights[i] : 1;
    for (let a = starts[i]; a < starts[i + 1]; a++) {
      const ia = index[a];
      // w·x as a pair, then times the other entries of the row.
      const x = value[a];
      const wx = w * x;
      const wxLow = (w === 1 ? 0 : productError(w, x, wx)) + (rest ? w * rest[a] : 0);
      for (let b = a; b < starts[i + 1]; b++)
        accumulate(high, low, ia * size + index[b], wx, wxLow, value[b], rest ? rest[b] : 0);
      accumulate(right.high, right.low, ia, wx, wxLow, y.values[i], y.low ? y.low[i] : 0);
    }
  }
  for (let a = 0; a < size; a++)
    for (let b = a + 1; b < size; b++) {
      // Rows list their columns in ascending order, so the upper triangle has it all.
      high[b * size + a] = high[a * size + b];
      low[b * size + a] = low[a * size + b];
    }
  const blocks = disjointBlocks(columns, rows.n);
  const first = blocks.reduce((best, block) => (block.length > best.length ? block : best), [] as number[]);
  return { size, high, low, right, first };
}

/** XᵀWy in 32 digits, rounded at the end. */
export function rightProduct(
  { n, width, starts, index, value, low: rest }: SparseRows,
  y: Float64Array,
  weights?: Float64Array,
): Float64Array {
  const high = new Float64Array(width);
  const low = new Float64Array(width);
  for (let i = 0; i < n; i++) {
    const w = weights ? weights[i] : 1;
    const wy = w * y[i];
    const error = w === 1 ? 0 : productError(w, y[i], wy);
    for (let e = starts[i]; e < starts[i + 1]; e++)
      accumulate(high, low, index[e], wy, error, value[e], rest ? rest[e] : 0);
  }
  return high;
}

/** target[at] += (a + al)·(b + bl), all as pairs. */
function accumulate(
  high: Float64Array,
  low: Float64Array,
  at: number,
  a: number,
  al: number,
  b: number,
  bl: number,
): void {
  const p = a * b;
  const error = (b === 1 || a === 1 ? 0 : productError(a, b, p)) + a * bl + al * b;
  const before = high[at];
  const sum = before + p;
  const part = sum - before;
  const rest = before - (sum - part) + (p - part) + error + low[at];
  const next = sum + rest;
  high[at] = next;
  low[at] = rest - (next - sum);
}

/** The triangular factor of a subset of columns: RᵀR = XᵀWX over `kept`, in the order of elimination. */
export interface Factor {
  readonly kept: number[];
  readonly aliased: number[];
  /** Length of each kept column beside those before it, over its own length. */
  readonly remaining: number[];
  /** Rᵏ: non-zero entries of row k right of the diagonal, by column of the design (aliased ones too). */
  readonly rows: { columns: Uint32Array; values: Float64Array }[];
  readonly diagonal: Float64Array;
  /** R⁻ᵀXᵀWy: with orthonormal columns, what each of them sees of y. */
  readonly z: Float64Array;
}

/**
 * Eliminates columns in order (Cholesky without square roots until the end), skipping zeros. A column whose square falls
 * below tolerance² of what it was is set aside, as in the Householder factorisation.
 */
export function eliminate({ size, high, low, right }: Gram, order: readonly number[], tolerance: number): Factor {
  const m = order.length;
  const g = new Float64Array(m * m);
  const gl = new Float64Array(m * m);
  const c = new Float64Array(m);
  const cl = new Float64Array(m);
  for (let a = 0; a < m; a++) {
    c[a] = right.high[order[a]];
    cl[a] = right.low[order[a]];
    for (let b = a; b < m; b++) {
      g[a * m + b] = high[order[a] * size + order[b]];
      gl[a * m + b] = low[order[a] * size + order[b]];
    }
  }
  const kept: number[] = [];
  const aliased: number[] = [];
  const remaining: number[] = [];
  const rows: Factor['rows'] = [];
  const diagonal: number[] = [];
  const z: number[] = [];
  const places: number[] = [];
  for (let k = 0; k < m; k++) {
    const pivot = g[k * m + k];
    const original = high[order[k] * size + order[k]];
    if (!(pivot > tolerance * tolerance * original)) {
      aliased.push(order[k]);
      continue;
    }
    const nonZero: number[] = [];
    for (let j = k + 1; j < m; j++) if (g[k * m + j] !== 0) nonZero.push(j);
    const pivotLow = gl[k * m + k];
    for (const i of nonZero) {
      const [factor, factorLow] = quotient(g[k * m + i], gl[k * m + i], pivot, pivotLow);
      for (const j of nonZero)
        if (j >= i) accumulate(g, gl, i * m + j, -factor, -factorLow, g[k * m + j], gl[k * m + j]);
      accumulate(c, cl, i, -factor, -factorLow, c[k], cl[k]);
    }
    const root = Math.sqrt(pivot);
    kept.push(order[k]);
    remaining.push(Math.sqrt(pivot / original));
    diagonal.push(root);
    z.push(c[k] / root);
    places.push(k);
    rows.push({
      columns: Uint32Array.from(nonZero, (j) => order[j]),
      values: Float64Array.from(nonZero, (j) => g[k * m + j] / root),
    });
  }
  return { kept, aliased, remaining, rows, diagonal: Float64Array.from(diagonal), z: Float64Array.from(z) };
}

function quotient(a: number, al: number, b: number, bl: number): [number, number] {
  const first = a / b;
  const p = first * b;
  const rest = a - p - productError(first, b, p) + al - first * bl;
  return [first, rest / b];
}

/** Puts the block that fills in nothing first; where columns turn out aliased, the given order decides which. */
export function factorise(matrix: Gram, subset: readonly number[], tolerance: number): Factor {
  const wanted = new Set(subset);
  const block = matrix.first.filter((j) => wanted.has(j));
  const inBlock = new Set(block);
  const quick = eliminate(matrix, [...block, ...subset.filter((j) => !inBlock.has(j))], tolerance);
  return quick.aliased.length && block.length ? eliminate(matrix, subset, tolerance) : quick;
}

/** β of the kept columns, by column of the design. */
export function solveFactor({ kept, rows, diagonal, z }: Factor, size: number): Float64Array {
  const beta = new Float64Array(size).fill(Number.NaN);
  for (let k = kept.length - 1; k >= 0; k--) {
    let sum = z[k];
    const { columns, values } = rows[k];
    for (let e = 0; e < columns.length; e++) if (!Number.isNaN(beta[columns[e]])) sum -= values[e] * beta[columns[e]];
    beta[kept[k]] = sum / diagonal[k];
  }
  return beta;
}

/** (RᵀR)⁻¹ applied to a right side, by two triangles; entry by column of the design. */
export function solveNormal(factor: Factor, right: Float64Array): Float64Array {
  const { kept, rows, diagonal } = factor;
  const rest = right.slice();
  const z = new Float64Array(kept.length);
  for (let k = 0; k < kept.length; k++) {
    z[k] = rest[kept[k]] / diagonal[k];
    const { columns, values } = rows[k];
    for (let e = 0; e < columns.length; e++) rest[columns[e]] -= values[e] * z[k];
  }
  return solveFactor({ ...factor, z }, right.length);
}

/** Σz² for another right side XᵀWy, by the same factor. */
export function forwardSquares({ kept, rows, diagonal }: Factor, right: Float64Array): number {
  const rest = right.slice();
  let sum = 0;
  for (let k = 0; k < kept.length; k++) {
    const z = rest[kept[k]] / diagonal[k];
    sum += z * z;
    const { columns, values } = rows[k];
    for (let e = 0; e < columns.length; e++) rest[columns[e]] -= values[e] * z;
  }
  return sum;
}

/** (RᵀR)⁻¹ with rows and columns in the order `sorted` of the kept columns. */
export function invertFactor({ kept, rows, diagonal }: Factor, sorted: readonly number[]): Float64Array {
  const size = kept.length;
  const place = new Map(kept.map((j, k) => [j, k]));
  // Column c of R⁻¹ by back substitution; most are nearly empty.
  const inverse: { at: number[]; values: number[] }[] = kept.map(() => ({ at: [], values: [] }));
  const dense = new Float64Array(size);
  const inner = rows.map(({ columns, values }) => {
    const entries: [number, number][] = [];
    for (let e = 0; e < columns.length; e++) {
      const k = place.get(columns[e]);
      if (k !== undefined) entries.push([k, values[e]]);
    }
    return entries;
  });
  const reaches = inner.map((entries) => entries.length > 0);
  for (let c = 0; c < size; c++) {
    dense.fill(0);
    dense[c] = 1 / diagonal[c];
    for (let k = c - 1; k >= 0; k--) {
      if (!reaches[k]) continue;
      let sum = 0;
      for (const [l, value] of inner[k]) if (l <= c) sum += value * dense[l];
      if (sum !== 0) dense[k] = -sum / diagonal[k];
    }
    for (let k = 0; k <= c; k++)
      if (dense[k] !== 0) {
        inverse[c].at.push(k);
        inverse[c].values.push(dense[k]);
      }
  }
  const target = kept.map((j) => sorted.indexOf(j));
  const result = new Float64Array(size * size);
  for (const { at, values } of inverse)
    for (let a = 0; a < at.length; a++) {
      const row = target[at[a]] * size;
      for (let b = 0; b < at.length; b++) result[row + target[at[b]]] += values[a] * values[b];
    }
  return result;
}
