import { begin, doubles, put, take } from '../image/kernels/arena.ts';
import * as plain from './matrix.ts';

/** Z and V as `src/train/matrix.ts` has them. */
interface Shape {
  readonly n: number;
  readonly r: number;
  readonly c: number;
  readonly ends?: Int32Array;
}

/** What is larger is not copied to and fro. */
const mostBytes = 32 * 2 ** 20;
const doubleBytes = 8;

const endsOf = ({ n, r, ends }: Shape): Int32Array => ends ?? new Int32Array(n).fill(r);

/** Columns of `rows` (c × r) beside each other, `width` in a row. */
function turn(rows: Float64Array, r: number, c: number, width: number, into: Float64Array): void {
  for (let k = 0; k < c; k++) for (let j = 0, from = k * r, to = k; j < r; j++, to += width) into[to] = rows[from + j];
  for (let k = c; k < width; k++) for (let j = 0; j < r; j++) into[j * width + k] = 0;
}

/** Scores n × c = Z·Vᵀ, several at a time in a kernel, to the bit as the plain loops make them. */
export function scoresOf(
  z: Float64Array,
  v: Float64Array,
  shape: Shape,
  into = new Float64Array(shape.n * shape.c),
): Float64Array {
  const { n, r, c } = shape;
  if (z.byteLength > mostBytes || v.byteLength > mostBytes) return plain.scoresOf(z, v, shape, into);
  const kernel = begin();
  const width = c + (c & 1);
  const [rows, ends] = [put(z), put(endsOf(shape))];
  const [columns, out] = [take(r * width * doubleBytes), take(n * width * doubleBytes)];
  turn(v, r, c, width, doubles(columns, r * width));
  kernel.linearScores(rows, ends, columns, out, n, r, width);
  const scores = doubles(out, n * width);
  if (width === c) into.set(scores);
  else for (let i = 0; i < n; i++) into.set(scores.subarray(i * width, i * width + c), i * c);
  return into;
}

/** Adds Rᵀ·Z to `into` (c × r, maybe followed by more), R being n × c. */
export function addWeightedRows(residual: Float64Array, z: Float64Array, shape: Shape, into: Float64Array): void {
  const { n, r, c } = shape;
  const whole = n - (n % 4);
  if (z.byteLength > mostBytes || !whole) {
    plain.addWeightedRows(residual, z, shape, into);
    return;
  }
  const kernel = begin();
  const ends = endsOf(shape);
  const own = into.subarray(0, c * r);
  const sums = put(own);
  kernel.linearAddRows(put(residual), put(z), put(ends), sums, whole, r, c);
  own.set(doubles(sums, c * r));
  const rest = { n: n - whole, r, c, ends: ends.subarray(whole) };
  plain.addWeightedRows(residual.subarray(whole * c), z.subarray(whole * r), rest, into);
}

/** Solves L·Lᵀ·x = b in place for the c rows of `b` (c × n); `l` mirrored. */
export function solveCholesky(l: Float64Array, n: number, b: Float64Array, c: number): void {
  const whole = c - (c % 4);
  if (l.byteLength > mostBytes || !whole) {
    plain.solveCholesky(l, n, b, c);
    return;
  }
  const kernel = begin();
  const factor = put(l);
  const sides = take(n * whole * doubleBytes);
  const turned = doubles(sides, n * whole);
  turn(b, n, whole, whole, turned);
  kernel.linearSolve(factor, sides, n, whole);
  for (let k = 0; k < whole; k++)
    for (let j = 0, from = k, to = k * n; j < n; j++, from += whole) b[to + j] = turned[from];
  plain.solveCholesky(l, n, b.subarray(whole * n), c - whole);
}
