import { normalCdf } from '../../stats/normal.ts';

/**
 * P(Σ (√λⱼ eⱼ + zⱼ)² ≤ q) for independent standard normal e, by the saddlepoint approximation of Kuonen (1999,
 * Biometrika 86, 929) in Barndorff-Nielsen's form. `squares` are the z². Its relative error is a few per cent far out in
 * both tails, where approximations by matched moments lose the lower one.
 */
export function quadraticFormCdf(q: number, variances: Float64Array, squares: Float64Array): number {
  const size = variances.length;
  let [largest, mean, variance, third] = [0, 0, 0, 0];
  for (let j = 0; j < size; j++) {
    const v = variances[j];
    largest = Math.max(largest, v);
    mean += v + squares[j];
    variance += 2 * v * v + 4 * v * squares[j];
    third += 8 * v ** 3 + 24 * v * v * squares[j];
  }
  if (q <= 0) return 0;
  if (!(variance > 0)) return q >= mean ? 1 : 0;
  const slope = (t: number): [first: number, second: number] => {
    let [first, second] = [0, 0];
    for (let j = 0; j < size; j++) {
      const v = variances[j];
      const d = 1 - 2 * t * v;
      first += v / d + squares[j] / (d * d);
      second += (2 * v * v) / (d * d) + (4 * v * squares[j]) / (d * d * d);
    }
    return [first, second];
  };
  let [low, high] = [0, (0.5 / largest) * (1 - 1e-12)];
  if (q < mean) {
    [low, high] = [-0.5 / largest, 0];
    while (slope(low)[0] > q) {
      high = low;
      low *= 2;
      if (low < -1e300) return 0;
    }
  }
  let t = (low + high) / 2;
  for (let i = 0; i < 100; i++) {
    const [first, second] = slope(t);
    if (first > q) high = t;
    else low = t;
    let next = t - (first - q) / second;
    if (!(next > low && next < high)) next = (low + high) / 2;
    const done = Math.abs(next - t) <= 1e-11 * Math.abs(t);
    t = next;
    if (done) break;
  }
  let cumulant = 0;
  for (let j = 0; j < size; j++) {
    const d = 1 - 2 * t * variances[j];
    cumulant += -0.5 * Math.log(d) + (t * squares[j]) / d;
  }
  const u = t * Math.sqrt(slope(t)[1]);
  const squared = 2 * (t * q - cumulant);
  // At the mean both terms vanish: the first terms of Edgeworth's series instead.
  if (Math.abs(u) < 1e-4 || squared < 1e-9)
    return 0.5 + (third / (6 * variance ** 1.5) + (q - mean) / Math.sqrt(variance)) / Math.sqrt(2 * Math.PI);
  const w = Math.sign(t) * Math.sqrt(squared);
  return normalCdf(w + Math.log(u / w) / w);
}
