interface Search {
  /** ln of the tail to be met, lower or upper. */
  readonly target: number;
  readonly tail: 'lower' | 'upper';
  logTail(x: number): number;
  logDensity(x: number): number;
  readonly low: number;
  readonly high: number;
  readonly start: number;
}

/**
 * The x whose tail has the given logarithm: Newton on ln(tail), which is nearly straight far out, with bisection where a
 * step leaves the bracket.
 */
export function quantileSearch({ target, tail, logTail, logDensity, low, high, start }: Search): number {
  const sign = tail === 'lower' ? 1 : -1;
  let [a, b] = [low, high];
  let x = Math.min(Math.max(start, low), high);
  for (let i = 0; i < 500; i++) {
    const value = logTail(x);
    const gap = value - target;
    if (gap === 0) return x;
    if (gap * sign > 0) b = x;
    else a = x;
    const slope = sign * Math.exp(logDensity(x) - value);
    let next = x - gap / slope;
    if (!(next > a && next < b)) next = middle(a, b);
    if (Math.abs(next - x) <= Math.abs(x) * 2 ** -53 || next === x) return next;
    x = next;
  }
  return x;
}

function middle(a: number, b: number): number {
  if (a === Number.NEGATIVE_INFINITY) return Math.min(2 * b, -1);
  if (b === Number.POSITIVE_INFINITY) return Math.max(2 * a, 1);
  // Between positive bounds of different size the geometric mean gets there in steps, not decades.
  return a > 0 && b / a > 4 ? Math.sqrt(a) * Math.sqrt(b) : (a + b) / 2;
}
