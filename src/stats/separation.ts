import { type DesignColumn, type SparseRows, sparseRows } from './columns.ts';
import { factorise, gram } from './gram.ts';
import { maximiseInCone } from './simplex.ts';

export interface Separation {
  readonly kind: 'none' | 'complete' | 'quasi';
  /** Rows that are predicted perfectly in the limit; they say nothing about the finite coefficients. */
  readonly perfect: Uint8Array;
  /** A direction in which the likelihood grows for ever, one entry per design column; its signs are those of infinity. */
  readonly direction: Float64Array;
}

/**
 * Do the estimates exist? (Albert and Anderson, 1984.) `side` says which way a row pulls: +1 towards large fitted values
 * (all successes), −1 towards small (all failures, a zero count), 0 both, which holds it in place. Estimates are infinite
 * where some direction moves no row against its side and none that is held. Rows held in place cut the space down to a
 * few dimensions first; what is left is a linear programme (Konis, 2007).
 */
export function findSeparation(columns: readonly DesignColumn[], side: Int8Array): Separation {
  const n = side.length;
  const direction = new Float64Array(columns.length);
  const perfect = new Uint8Array(n);
  const free = nullSpace(columns, side);
  if (free.length === 0) return { kind: 'none', perfect, direction };
  const { rows, indices } = pullingRows(sparseRows(columns, n), side, free);
  if (rows.length === 0) return { kind: 'none', perfect, direction };
  const covered = new Uint8Array(rows.length);
  const total = new Float64Array(free.length);
  // Each round finds a direction that moves a row not yet moved; their sum moves them all.
  for (;;) {
    const objective = new Float64Array(free.length);
    for (const [i, row] of rows.entries()) if (!covered[i]) for (let j = 0; j < row.length; j++) objective[j] += row[j];
    const d = maximiseInCone(rows, objective);
    let moved = false;
    for (const [i, row] of rows.entries()) {
      if (covered[i] || dot(row, d) <= 1e-7) continue;
      covered[i] = 1;
      for (const original of indices[i]) perfect[original] = 1;
      moved = true;
    }
    if (!moved) break;
    for (let j = 0; j < total.length; j++) total[j] += d[j];
  }
  for (let j = 0; j < total.length; j++)
    for (let c = 0; c < direction.length; c++) direction[c] += total[j] * free[j][c];
  const count = perfect.reduce((sum, one) => sum + one, 0);
  return { kind: count === 0 ? 'none' : count === n ? 'complete' : 'quasi', perfect, direction };
}

/** Basis of the directions that leave every held row (side 0) where it is, over all design columns. */
function nullSpace(columns: readonly DesignColumn[], side: Int8Array): Float64Array[] {
  const held: number[] = [];
  for (let i = 0; i < side.length; i++) if (side[i] === 0) held.push(i);
  return nullVectors(columns, side.length, held);
}

/** Basis of {b: X b = 0 over the given rows}, one vector per aliased column. */
export function nullVectors(columns: readonly DesignColumn[], n: number, rows: readonly number[]): Float64Array[] {
  const size = columns.length;
  const chosen = new Float64Array(n);
  for (const i of rows) chosen[i] = 1;
  const matrix = gram(columns, sparseRows(columns, n), { values: new Float64Array(n) }, chosen);
  const factor = factorise(
    matrix,
    columns.map((_, j) => j),
    1e-9,
  );
  return factor.aliased.map((j) => {
    const vector = new Float64Array(size);
    vector[j] = 1;
    for (let k = factor.kept.length - 1; k >= 0; k--) {
      const { columns: at, values } = factor.rows[k];
      let sum = 0;
      for (let e = 0; e < at.length; e++) sum += values[e] * vector[at[e]];
      vector[factor.kept[k]] = sum === 0 ? 0 : -sum / factor.diagonal[k];
    }
    const largest = vector.reduce((max, v) => Math.max(max, Math.abs(v)), 0);
    return vector.map((v) => (Math.abs(v) < 1e-9 * largest ? 0 : v));
  });
}

/** The rows with a side, in the free space, each turned so that its side is positive and scaled; alike ones together. */
function pullingRows({ starts, index, value }: SparseRows, side: Int8Array, free: Float64Array[]) {
  const rows: Float64Array[] = [];
  const indices: number[][] = [];
  const places = new Map<string, number>();
  for (let i = 0; i < side.length; i++) {
    if (side[i] === 0) continue;
    const row = Float64Array.from(free, (vector) => {
      let sum = 0;
      for (let e = starts[i]; e < starts[i + 1]; e++) sum += vector[index[e]] * value[e];
      return side[i] * sum;
    });
    const size = Math.hypot(...row);
    if (!(size > 1e-9)) continue;
    const scaled = row.map((entry) => entry / size);
    const key = scaled.map((entry) => Math.round(entry * 1e9)).join();
    const place = places.get(key);
    if (place !== undefined) indices[place].push(i);
    else {
      places.set(key, rows.length);
      rows.push(scaled);
      indices.push([i]);
    }
  }
  return { rows, indices };
}

const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i], 0);
