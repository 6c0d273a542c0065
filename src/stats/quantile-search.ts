interface Search {
  /** ln of the upper tail to be met. */
  readonly target: number;
  logSurvival(x: number): number;
  logDensity(x: number): number;
  readonly start: number;
}

/**
 * The x ≥ 0 whose upper tail has the given logarithm: Newton on ln(tail), which is nearly straight far out, with
 * bisection where a step leaves the bracket.
 */
export function quantileSearch({ target, logSurvival, logDensity, start }: Search): number {
  let [low, high] = [0, Number.POSITIVE_INFINITY];
  let x = Math.max(start, 0);
  for (let i = 0; i < 500; i++) {
    const value = logSurvival(x);
    const gap = value - target;
    if (gap === 0) return x;
    if (gap < 0) high = x;
    else low = x;
    const slope = -Math.exp(logDensity(x) - value);
    let next = x - gap / slope;
    if (!(next > low && next < high)) next = middle(low, high);
    if (Math.abs(next - x) <= Math.abs(x) * 2 ** -53 || next === x) return next;
    x = next;
  }
  return x;
}

function middle(low: number, high: number): number {
  if (high === Number.POSITIVE_INFINITY) return Math.max(2 * low, 1);
  // Between positive bounds of different size the geometric mean gets there in steps, not decades.
  return low > 0 && high / low > 4 ? Math.sqrt(low) * Math.sqrt(high) : (low + high) / 2;
}
