import type { Random } from '../contracts/random.ts';

const rounds = 40;

/** The first components of `n` rows of `d` numbers, as `n` rows of `count`: orthogonal iteration on the covariance. */
export function principalComponents(
  rows: Float32Array,
  { n, d, count, random }: { n: number; d: number; count: number; random: Random },
): Float32Array {
  const k = Math.min(count, d, n);
  const mean = new Float64Array(d);
  for (let i = 0; i < n; i++) for (let j = 0; j < d; j++) mean[j] += rows[i * d + j] / n;
  const covariance = covarianceOf(rows, mean, n, d);
  let basis = Float64Array.from({ length: d * k }, () => random.normal());
  orthonormalise(basis, d, k);
  for (let round = 0; round < rounds; round++) {
    const next = new Float64Array(d * k);
    for (let i = 0; i < d; i++)
      for (let j = 0; j < d; j++) {
        const c = covariance[i * d + j];
        for (let a = 0; a < k; a++) next[i * k + a] += c * basis[j * k + a];
      }
    orthonormalise(next, d, k);
    basis = next;
  }
  const scores = new Float32Array(n * k);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < d; j++) {
      const value = rows[i * d + j] - mean[j];
      for (let a = 0; a < k; a++) scores[i * k + a] += value * basis[j * k + a];
    }
  return scores;
}

function covarianceOf(rows: Float32Array, mean: Float64Array, n: number, d: number): Float64Array {
  const sums = new Float64Array(d * d);
  const centred = new Float64Array(d);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < d; j++) centred[j] = rows[i * d + j] - mean[j];
    for (let a = 0; a < d; a++) {
      const value = centred[a];
      for (let b = a; b < d; b++) sums[a * d + b] += value * centred[b];
    }
  }
  for (let a = 0; a < d; a++) for (let b = 0; b < a; b++) sums[a * d + b] = sums[b * d + a];
  return sums;
}

/** Gram–Schmidt on the columns, twice over: once leaves rounding behind. */
function orthonormalise(basis: Float64Array, d: number, k: number): void {
  for (let a = 0; a < k; a++) {
    for (let again = 0; again < 2; again++)
      for (let b = 0; b < a; b++) {
        let dot = 0;
        for (let i = 0; i < d; i++) dot += basis[i * k + a] * basis[i * k + b];
        for (let i = 0; i < d; i++) basis[i * k + a] -= dot * basis[i * k + b];
      }
    let length = 0;
    for (let i = 0; i < d; i++) length += basis[i * k + a] ** 2;
    length = Math.sqrt(length) || 1;
    for (let i = 0; i < d; i++) basis[i * k + a] /= length;
  }
}
