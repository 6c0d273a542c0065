const halfLogTwoPi = 0.5 * Math.log(2 * Math.PI);

/** Coefficients B₂ₖ / (2k(2k−1)) of Stirling's series. */
const stirling = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400];

/**
 * ln Γ(x+1) − (x+½) ln x + x − ½ ln 2π, the error of Stirling's formula (Loader, 2000). Below 12 it is carried up by
 * δ(x) = δ(x+1) + (x+½) ln(1+1/x) − 1, which loses nothing.
 */
export function stirlingError(x: number): number {
  let sum = 0;
  while (x < 12) {
    sum += (x + 0.5) * Math.log1p(1 / x) - 1;
    x++;
  }
  const inverse = 1 / (x * x);
  let series = 0;
  for (let k = stirling.length - 1; k >= 0; k--) series = series * inverse + stirling[k];
  return sum + series / x;
}

/** ln Γ(x), x > 0. */
export function logGamma(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.POSITIVE_INFINITY : Number.NaN;
  if (x === 1 || x === 2) return 0;
  if (x < 0.5) return logGamma(x + 1) - Math.log(x);
  // Around the zeros at 1 and 2 Stirling's terms cancel; a Taylor series does not.
  if (x < 1.5) return nearTwo(x - 1) - Math.log1p(x - 1);
  if (x < 2.5) return nearTwo(x - 2);
  return stirlingError(x) + (x - 0.5) * Math.log(x) - x + halfLogTwoPi;
}

const eulerGamma = 0.5772156649015329;

/** ln Γ(2+z) for |z| ≤ ½: z(1−γ) + Σ (−1)ᵏ (ζ(k)−1) zᵏ/k (DLMF 5.7.3). */
function nearTwo(z: number): number {
  let sum = 0;
  for (let k = zetaMinusOne.length - 1; k >= 0; k--) {
    const order = k + 2;
    sum += ((order % 2 ? -1 : 1) * zetaMinusOne[k] * z ** order) / order;
  }
  return z * (1 - eulerGamma) + sum;
}

/** ζ(k) − 1 for k = 2 … 40, by summing the tail with Euler–Maclaurin. */
const zetaMinusOne = Array.from({ length: 39 }, (_, i) => {
  const k = i + 2;
  const n = 20;
  let sum = n ** (1 - k) / (k - 1) + 0.5 * n ** -k;
  let term = (k * n ** (-k - 1)) / 2;
  const bernoulli = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66];
  for (let j = 0; j < bernoulli.length; j++) {
    sum += bernoulli[j] * term;
    term *= ((k + 2 * j + 1) * (k + 2 * j + 2)) / (n * n * (2 * j + 3) * (2 * j + 4));
  }
  for (let m = n - 1; m >= 2; m--) sum += m ** -k;
  return sum;
});

/**
 * count·ln(count/mean) + mean − count without cancellation where the two are close (Loader, 2000); the caller gives their
 * difference, which it often knows better than a subtraction would.
 */
export function devianceTerm(count: number, mean: number, difference = count - mean): number {
  // With s = (count − mean)/(count + mean), ln(count/mean) = 2 atanh s, and its leading term cancels exactly.
  const s = difference / (count + mean);
  if (Math.abs(s) > 0.25) return count * (Math.log(count) - Math.log(mean)) - difference;
  const square = s * s;
  let series = 0;
  for (let k = 14; k >= 1; k--) series = square * (series + 1 / (2 * k + 1));
  return difference * s + 2 * count * s * series;
}

/** ln B(a, b). */
export function logBeta(a: number, b: number): number {
  const small = Math.min(a, b);
  const large = Math.max(a, b);
  if (large < 10) return logGamma(a) + logGamma(b) - logGamma(a + b);
  // ln Γ(large) − ln Γ(large+small) by Stirling, the large logarithms taken together.
  const ratio =
    stirlingError(large) -
    stirlingError(large + small) -
    (large - 0.5) * Math.log1p(small / large) -
    small * Math.log(large + small) +
    small;
  return logGamma(small) + ratio;
}
