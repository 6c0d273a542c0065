import { type LogTails, log1mexp } from './incomplete-gamma.ts';
import { devianceTerm, stirlingError } from './log-gamma.ts';

const epsilon = 2 ** -53;
const tiny = 1e-300;

/** ln(xᵃ yᵇ / B(a, b)) with y = 1 − x given too, by Loader's saddle point with the difference a·y − b·x kept exact. */
export function logBetaDensityKernel(a: number, b: number, x: number, y: number): number {
  const total = a + b;
  const difference = a * y - b * x;
  return (
    0.5 * (Math.log(a) + Math.log(b) - Math.log(total) - Math.log(2 * Math.PI)) +
    stirlingError(total) -
    stirlingError(a) -
    stirlingError(b) -
    devianceTerm(a, total * x, difference) -
    devianceTerm(b, total * y, -difference)
  );
}

/**
 * ln I_x(a, b) and ln(1 − I_x(a, b)). `y` is 1 − x, given by the caller because a t or F statistic knows both to full
 * precision and a subtraction here would not.
 */
export function logIncompleteBeta(a: number, b: number, x: number, y = 1 - x): LogTails {
  if ([a, b, x, y].some(Number.isNaN)) return { lower: Number.NaN, upper: Number.NaN };
  if (x <= 0) return { lower: Number.NEGATIVE_INFINITY, upper: 0 };
  if (y <= 0) return { lower: 0, upper: Number.NEGATIVE_INFINITY };
  const kernel = logBetaDensityKernel(a, b, x, y);
  if (x * (a + b + 2) < a + 1) {
    const lower = kernel - Math.log(fraction(a, b, x, y));
    return { lower, upper: log1mexp(Math.min(lower, 0)) };
  }
  const upper = kernel - Math.log(fraction(b, a, y, x));
  return { lower: log1mexp(Math.min(upper, 0)), upper };
}

/** DiDonato and Morris (1992), equation for b-frac, by modified Lentz. */
function fraction(a: number, b: number, x: number, y: number): number {
  const difference = a * y - b * x;
  let f = (a * (difference + 1)) / (a + 1) || tiny;
  let c = f;
  let d = 0;
  for (let n = 1; ; n++) {
    const at = a + 2 * n - 1;
    const an = ((((a + n - 1) * (a + b + n - 1)) / at) * n * (b - n) * x * x) / at;
    const bn = n + (n * (b - n) * x) / at + ((a + n) * (difference + 1 + n * (1 + y))) / (at + 2);
    d = 1 / (bn + an * d || tiny);
    c = bn + an / c || tiny;
    const delta = c * d;
    f *= delta;
    if (Math.abs(delta - 1) <= 2 * epsilon || n > 1e6) return f;
  }
}
