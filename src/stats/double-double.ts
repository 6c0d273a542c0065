/**
 * Arithmetic on unevaluated sums of two doubles, about 32 digits (Dekker, 1971; Knuth, TAOCP 2, 4.2.2). Scalars are
 * pairs; the two loops that cost time, dot product and update, work on arrays of high and low parts.
 */
export type Pair = readonly [high: number, low: number];

const splitter = 134217729;

/** a·b = p + e exactly; e is returned. */
export function productError(a: number, b: number, p: number): number {
  let t = splitter * a;
  const ah = t - (t - a);
  const al = a - ah;
  t = splitter * b;
  const bh = t - (t - b);
  const bl = b - bh;
  return ah * bh - p + ah * bl + al * bh + al * bl;
}

function normalise(high: number, low: number): Pair {
  const sum = high + low;
  return [sum, low - (sum - high)];
}

export function add([ah, al]: Pair, [bh, bl]: Pair): Pair {
  const sum = ah + bh;
  const part = sum - ah;
  const error = ah - (sum - part) + (bh - part);
  return normalise(sum, error + al + bl);
}

export const negate = ([high, low]: Pair): Pair => [-high, -low];

export function multiply([ah, al]: Pair, [bh, bl]: Pair): Pair {
  const p = ah * bh;
  return normalise(p, productError(ah, bh, p) + ah * bl + al * bh);
}

export function divide(a: Pair, b: Pair): Pair {
  const first = a[0] / b[0];
  const rest = add(a, negate(multiply(b, [first, 0])));
  const second = rest[0] / b[0];
  const last = add(rest, negate(multiply(b, [second, 0])))[0] / b[0];
  const [high, low] = normalise(first, second);
  return normalise(high, low + last);
}

export function squareRoot(a: Pair): Pair {
  if (a[0] <= 0) return [0, 0];
  const root = Math.sqrt(a[0]);
  const rest = add(a, negate(multiply([root, 0], [root, 0])));
  return normalise(root, rest[0] / (2 * root));
}

/** Whole power by repeated squaring. */
export function power(base: Pair, exponent: number): Pair {
  let result: Pair = [1, 0];
  for (let square = base, e = exponent; e > 0; e = Math.floor(e / 2)) {
    if (e % 2) result = multiply(result, square);
    square = multiply(square, square);
  }
  return result;
}

/** A column of pairs. */
export interface PairColumn {
  readonly high: Float64Array;
  readonly low: Float64Array;
}

/** Σ aᵢ bᵢ from row `from` on. */
export function dot(a: PairColumn, b: PairColumn, from: number): Pair {
  const { high: ah, low: al } = a;
  const { high: bh, low: bl } = b;
  let sum = 0;
  let rest = 0;
  for (let i = from; i < ah.length; i++) {
    const x = ah[i];
    const y = bh[i];
    const p = x * y;
    let t = splitter * x;
    const xh = t - (t - x);
    const xl = x - xh;
    t = splitter * y;
    const yh = t - (t - y);
    const yl = y - yh;
    const next = sum + p;
    const part = next - sum;
    rest += sum - (next - part) + (p - part) + (xh * yh - p + xh * yl + xl * yh + xl * yl) + x * bl[i] + al[i] * y;
    sum = next;
  }
  return normalise(sum, rest);
}

/** a ← a + factor·b from row `from` on. */
export function addScaled(a: PairColumn, [ch, cl]: Pair, b: PairColumn, from: number): void {
  const { high: ah, low: al } = a;
  const { high: bh, low: bl } = b;
  let t = splitter * ch;
  const fh = t - (t - ch);
  const fl = ch - fh;
  for (let i = from; i < ah.length; i++) {
    const y = bh[i];
    const p = ch * y;
    t = splitter * y;
    const yh = t - (t - y);
    const yl = y - yh;
    const error = fh * yh - p + fh * yl + fl * yh + fl * yl + ch * bl[i] + cl * y;
    const x = ah[i];
    const sum = x + p;
    const part = sum - x;
    const rest = x - (sum - part) + (p - part) + error + al[i];
    const high = sum + rest;
    ah[i] = high;
    al[i] = rest - (high - sum);
  }
}
