import { mean } from '../moments.ts';
import { normalQuantile, normalSurvival } from '../normal.ts';
import { type NormalityResult, notTested, polynomial, standardised } from './result.ts';

/** Shapiro and Wilk's W by Royston (1995), algorithm AS R94, as R's shapiro.test; 3 ≤ n ≤ 5000. */
export function shapiro(x: ArrayLike<number>): NormalityResult {
  const n = x.length;
  if (n < 3 || n > 5000) return notTested(`needs 3 to 5000 values, there are ${n}`);
  const sorted = Float64Array.from(x).sort();
  if (!standardised(sorted)) return notTested('all values are equal');
  const range = sorted[n - 1] - sorted[0];
  const values = sorted.map((value) => value / range);
  const weights = coefficients(n);
  const centre = mean(values);
  let [sa, sx, product] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const a = weights[i];
    const gap = values[i] - centre;
    sa += a * a;
    sx += gap * gap;
    product += a * gap;
  }
  // 1 − W directly, because W is close to one.
  const root = Math.sqrt(sa * sx);
  const shortfall = ((root - product) * (root + product)) / (sa * sx);
  return { statistic: 1 - shortfall, p: shapiroP(shortfall, n) };
}

/** Approximate best weights for the order statistics, antisymmetric. */
function coefficients(n: number): Float64Array {
  const half = Math.floor(n / 2);
  const a = new Float64Array(n);
  const place = (i: number, weight: number) => {
    a[i] = -weight;
    a[n - 1 - i] = weight;
  };
  if (n === 3) {
    place(0, Math.SQRT1_2);
    return a;
  }
  const m = Array.from({ length: half }, (_, i) => normalQuantile((i + 0.625) / (n + 0.25)));
  const total = 2 * m.reduce((sum, value) => sum + value * value, 0);
  const root = 1 / Math.sqrt(n);
  const first = polynomial([0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056], root) - m[0] / Math.sqrt(total);
  place(0, first);
  let [from, scale] = [1, (total - 2 * m[0] ** 2) / (1 - 2 * first ** 2)];
  if (n > 5) {
    const second = polynomial([0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633], root) - m[1] / Math.sqrt(total);
    place(1, second);
    [from, scale] = [2, (total - 2 * m[0] ** 2 - 2 * m[1] ** 2) / (1 - 2 * first ** 2 - 2 * second ** 2)];
  }
  for (let i = from; i < half; i++) place(i, -m[i] / Math.sqrt(scale));
  return a;
}

function shapiroP(shortfall: number, n: number): number {
  if (n === 3) {
    const p = (6 / Math.PI) * (Math.asin(Math.sqrt(1 - shortfall)) - Math.asin(Math.sqrt(0.75)));
    return Math.max(0, p);
  }
  let y = Math.log(shortfall);
  if (n <= 11) {
    const gamma = 0.459 * n - 2.273;
    if (y >= gamma) return 1e-99;
    y = -Math.log(gamma - y);
    const centre = polynomial([0.544, -0.39978, 0.025054, -6.714e-4], n);
    return normalSurvival((y - centre) / Math.exp(polynomial([1.3822, -0.77857, 0.062767, -0.0020322], n)));
  }
  const logN = Math.log(n);
  const centre = polynomial([-1.5861, -0.31082, -0.083751, 0.0038915], logN);
  return normalSurvival((y - centre) / Math.exp(polynomial([-0.4803, -0.082676, 0.0030302], logN)));
}
