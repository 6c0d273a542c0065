import type { DesignColumn } from './columns.ts';
import type { Pair, PairColumn } from './double-double.ts';
import * as dd from './double-double.ts';

/** `extended`: 32 digits throughout; `double`: 16, where speed matters more. */
export type Precision = 'extended' | 'double';

export interface Qr {
  readonly precision: Precision;
  /** Columns kept, in the order given; the others are linear combinations of those before them. */
  readonly kept: number[];
  readonly aliased: number[];
  /** Length of each kept column beside those before it, over its own length. */
  readonly remaining: number[];
  /** For column j of the design, the first `rank` entries of Qᵀx_j; upper triangular over the kept ones. */
  readonly r: Pair[][];
  /** Qᵀ applied to a copy of a column. */
  applyTransposed(column: DesignColumn): PairColumn;
  /** Column k of the thin Q. */
  q(k: number): Float64Array;
}

/**
 * Householder QR with the limited pivoting of LINPACK's dqrdc2 as R uses it: a column whose norm falls below `tolerance`
 * times its original norm once the columns before it are taken out is set aside; the rest keep their order.
 *
 * Columns are scaled by powers of two, which costs no digit, so that scale never overflows a square.
 */
export function qr(
  columns: readonly DesignColumn[],
  { tolerance, precision }: { tolerance: number; precision: Precision },
): Qr {
  const n = columns[0]?.values.length ?? 0;
  const kernel = precision === 'extended' ? dd : plain;
  const scales = columns.map((column) => scaleOf(column.values));
  const work = columns.map((column, j) => scaled(column, scales[j]));
  const kept: number[] = [];
  const aliased: number[] = [];
  const remaining: number[] = [];
  const reflectors: { v: PairColumn; factor: Pair }[] = [];
  for (const [j, column] of work.entries()) {
    const k = kept.length;
    const original = Math.sqrt(kernel.dot(column, column, 0)[0]);
    for (const [i, reflector] of reflectors.entries()) reflect(kernel, reflector, column, i);
    const square = k < n ? kernel.dot(column, column, k) : ([0, 0] as Pair);
    const norm = dd.squareRoot(square);
    if (k >= n || !(norm[0] > tolerance * original)) {
      aliased.push(j);
      continue;
    }
    kept.push(j);
    remaining.push(norm[0] / original);
    const head: Pair = [column.high[k], column.low[k]];
    const diagonal = head[0] > 0 ? dd.negate(norm) : norm;
    const v = { high: column.high.slice(), low: column.low.slice() };
    [v.high[k], v.low[k]] = dd.add(head, dd.negate(diagonal));
    // vᵀv = 2·norm·(norm + |head|); the reflection subtracts 2v(vᵀx)/(vᵀv).
    const absolute = head[0] < 0 ? dd.negate(head) : head;
    const factor = dd.divide([-1, 0], dd.multiply(norm, dd.add(norm, absolute)));
    reflectors.push({ v, factor });
    [column.high[k], column.low[k]] = diagonal;
  }
  const rank = kept.length;
  const r = work.map((column, j) => {
    const filled = kept.includes(j) ? kept.indexOf(j) + 1 : rank;
    const scale = 1 / scales[j];
    return Array.from(
      { length: rank },
      (_, i): Pair => (i < filled ? [column.high[i] * scale, column.low[i] * scale] : [0, 0]),
    );
  });
  return {
    precision,
    kept,
    aliased,
    remaining,
    r,
    applyTransposed(column) {
      const scale = scaleOf(column.values);
      const copy = scaled(column, scale);
      for (const [i, reflector] of reflectors.entries()) reflect(kernel, reflector, copy, i);
      const back = (value: number) => value / scale;
      return { high: copy.high.map(back), low: copy.low.map(back) };
    },
    q(k) {
      const unit = { high: new Float64Array(n), low: new Float64Array(n) };
      unit.high[k] = 1;
      for (let i = Math.min(rank, n) - 1; i >= 0; i--) reflect(plain, reflectors[i], unit, i);
      return unit.high;
    },
  };
}

interface Kernel {
  dot(a: PairColumn, b: PairColumn, from: number): Pair;
  addScaled(a: PairColumn, factor: Pair, b: PairColumn, from: number): void;
}

const plain: Kernel = {
  dot({ high: a }, { high: b }, from) {
    let sum = 0;
    for (let i = from; i < a.length; i++) sum += a[i] * b[i];
    return [sum, 0];
  },
  addScaled({ high: a }, [factor], { high: b }, from) {
    for (let i = from; i < a.length; i++) a[i] += factor * b[i];
  },
};

function reflect(
  kernel: Kernel,
  { v, factor }: { v: PairColumn; factor: Pair },
  column: PairColumn,
  from: number,
): void {
  const product = dd.multiply(kernel.dot(v, column, from), factor);
  if (product[0] !== 0) kernel.addScaled(column, product, v, from);
}

/** The power of two that brings the largest value near one. */
function scaleOf(values: Float64Array): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  return largest > 0 && Number.isFinite(largest)
    ? 2 ** -Math.max(-1000, Math.min(1000, Math.floor(Math.log2(largest))))
    : 1;
}

function scaled({ values, low }: DesignColumn, scale: number): { high: Float64Array; low: Float64Array } {
  return {
    high: values.map((value) => value * scale),
    low: low ? low.map((value) => value * scale) : new Float64Array(values.length),
  };
}
