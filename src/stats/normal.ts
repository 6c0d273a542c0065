import { logIncompleteGamma } from './incomplete-gamma.ts';

const logSqrtTwoPi = 0.5 * Math.log(2 * Math.PI);

export const normalLogDensity = (z: number): number => -0.5 * z * z - logSqrtTwoPi;

/** ln P(Z > z), computed in the tail. */
export function normalLogSurvival(z: number): number {
  const { lower, upper } = logIncompleteGamma(0.5, 0.5 * z * z);
  // The square's upper tail is both tails of z.
  return z >= 0 ? upper - Math.LN2 : Math.log1p(Math.exp(lower)) - Math.LN2;
}

export const normalSurvival = (z: number): number => Math.exp(normalLogSurvival(z));
export const normalCdf = (z: number): number => normalSurvival(-z);
export const normalLogCdf = (z: number): number => normalLogSurvival(-z);

/** Two-sided P of a z statistic. */
export const normalTwoSided = (z: number): number => Math.exp(logIncompleteGamma(0.5, 0.5 * z * z).upper);

/** Wichura (1988), algorithm AS 241, PPND16: relative error about 1e-16. */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * polynomial(centralTop, r)) / polynomial(centralBottom, r);
  }
  const tail = q < 0 ? p : 1 - p;
  if (tail === 0) return q < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return normalTailQuantile(Math.log(tail)) * (q < 0 ? -1 : 1);
}

/** The z > 0 with ln P(Z > z) = logTail, for tails too small for a 1 − p. */
function normalTailQuantile(logTail: number): number {
  const r = Math.sqrt(-logTail);
  return r <= 5
    ? polynomial(middleTop, r - 1.6) / polynomial(middleBottom, r - 1.6)
    : polynomial(farTop, r - 5) / polynomial(farBottom, r - 5);
}

const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);

const centralTop = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
  33430.57558358813, 2509.0809287301227,
];
const centralBottom = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943,
  5226.495278852546,
];
const middleTop = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
  0.022723844989269184, 0.0007745450142783414,
];
const middleBottom = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
  0.0005475938084995345, 1.0507500716444169e-9,
];
const farTop = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
  0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
];
const farBottom = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5,
  1.421511758316446e-7, 2.0442631033899397e-15,
];
