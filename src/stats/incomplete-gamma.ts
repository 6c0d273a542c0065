import { devianceTerm, stirlingError } from './log-gamma.ts';

const epsilon = 2 ** -53;
const tiny = 1e-300;

/** Both regularised incomplete gamma functions as logarithms, so that neither tail is ever one minus the other's. */
export interface LogTails {
  readonly lower: number;
  readonly upper: number;
}

/** ln(xᵃ e⁻ˣ / Γ(a)), by Loader's saddle point: relative error a few ε even for large a near x. */
function logGammaDensityKernel(a: number, x: number): number {
  return 0.5 * Math.log(a / (2 * Math.PI)) - stirlingError(a) - devianceTerm(a, x);
}

/** ln P(a, x) and ln Q(a, x): a series below a + 1, Legendre's continued fraction above (DLMF 8.11.4, 8.9.2). */
export function logIncompleteGamma(a: number, x: number): LogTails {
  if (Number.isNaN(a) || Number.isNaN(x)) return { lower: Number.NaN, upper: Number.NaN };
  if (x <= 0) return { lower: Number.NEGATIVE_INFINITY, upper: 0 };
  if (x === Number.POSITIVE_INFINITY) return { lower: 0, upper: Number.NEGATIVE_INFINITY };
  const kernel = logGammaDensityKernel(a, x);
  if (x < a + 1) {
    const lower = kernel + Math.log(series(a, x));
    return { lower, upper: log1mexp(lower) };
  }
  const upper = kernel - Math.log(fraction(a, x));
  return { lower: log1mexp(upper), upper };
}

function series(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; term > sum * epsilon; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return sum;
}

function fraction(a: number, x: number): number {
  // Modified Lentz (Thompson and Barnett, 1986).
  let b = x + 1 - a;
  let f = b || tiny;
  let c = f;
  let d = 0;
  for (let n = 1; ; n++) {
    const an = -n * (n - a);
    b += 2;
    d = 1 / (b + an * d || tiny);
    c = b + an / c || tiny;
    const delta = c * d;
    f *= delta;
    if (Math.abs(delta - 1) <= 2 * epsilon) return f;
  }
}

/** ln(1 − eˣ) for x ≤ 0 (Mächler, 2012). */
export function log1mexp(x: number): number {
  if (x >= 0) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  return x > -Math.LN2 ? Math.log(-Math.expm1(x)) : Math.log1p(-Math.exp(x));
}
