import { type Features, meanRow } from './features.ts';

/**
 * Fréchet distance of two sets of features taken as Gaussian (Heusel et al., 2017): |μ₁ − μ₂|² + tr Σ₁ + tr Σ₂ −
 * 2 tr (Σ₁Σ₂)^½. With Σ = AᵀA the last trace is the sum of the singular values of A₁A₂ᵀ, so no square root of a matrix
 * is needed. It grows with how small the sets are: compare it only between sets of equal size.
 */
export function frechetDistance(a: Features, b: Features): number {
  const [meanA, meanB] = [meanRow(a), meanRow(b)];
  let means = 0;
  for (let k = 0; k < a.dims; k++) means += (meanA[k] - meanB[k]) ** 2;
  const [factorA, factorB] = [covarianceFactor(a, meanA), covarianceFactor(b, meanB)];
  const size = Math.min(factorA.rows, factorB.rows);
  const cross = size === factorA.rows ? timesTransposed(factorA, factorB) : timesTransposed(factorB, factorA);
  return Math.max(0, means + squaredSum(factorA) + squaredSum(factorB) - 2 * singularValueSum(cross));
}

/** A with AᵀA = Σ (divided by n − 1, as NumPy's `cov`), with as few rows as the rank allows. */
function covarianceFactor({ rows, dims, data }: Features, mean: Float64Array): Features {
  const scale = 1 / Math.sqrt(rows - 1);
  const centred = new Float64Array(rows * dims);
  for (let i = 0; i < rows; i++)
    for (let k = 0; k < dims; k++) centred[i * dims + k] = (data[i * dims + k] - mean[k]) * scale;
  return rows > dims ? triangularFactor({ rows, dims, data: centred }) : { rows, dims, data: centred };
}

/** R of the QR decomposition, by Householder's reflections (Golub and Van Loan, §5.2). */
function triangularFactor({ rows, dims, data }: Features): Features {
  for (let k = 0; k < dims; k++) {
    let norm = 0;
    for (let i = k; i < rows; i++) norm = Math.hypot(norm, data[i * dims + k]);
    if (norm === 0) continue;
    const pivot = data[k * dims + k] > 0 ? -norm : norm;
    const v = new Float64Array(rows - k);
    for (let i = k; i < rows; i++) v[i - k] = data[i * dims + k];
    v[0] -= pivot;
    let length = 0;
    for (const value of v) length += value * value;
    for (let j = k; j < dims; j++) {
      let dot = 0;
      for (let i = k; i < rows; i++) dot += v[i - k] * data[i * dims + j];
      for (let i = k; i < rows; i++) data[i * dims + j] -= ((2 * dot) / length) * v[i - k];
    }
  }
  return { rows: dims, dims, data: data.slice(0, dims * dims) };
}

function timesTransposed(a: Features, b: Features): Features {
  const data = new Float64Array(a.rows * b.rows);
  for (let i = 0; i < a.rows; i++)
    for (let j = 0; j < b.rows; j++) {
      let sum = 0;
      for (let k = 0; k < a.dims; k++) sum += a.data[i * a.dims + k] * b.data[j * a.dims + k];
      data[i * b.rows + j] = sum;
    }
  return { rows: a.rows, dims: b.rows, data };
}

/** One-sided Jacobi (Hestenes, 1958): the rows are turned until all are at right angles; their lengths are the values. */
function singularValueSum({ rows, dims, data }: Features): number {
  const smallest = 1e-15;
  for (let sweep = 0; sweep < 60; sweep++) {
    let turned = false;
    for (let p = 0; p < rows - 1; p++)
      for (let q = p + 1; q < rows; q++) {
        let [pp, qq, pq] = [0, 0, 0];
        for (let k = 0; k < dims; k++) {
          const [x, y] = [data[p * dims + k], data[q * dims + k]];
          pp += x * x;
          qq += y * y;
          pq += x * y;
        }
        if (Math.abs(pq) <= smallest * Math.sqrt(pp * qq) || pq === 0) continue;
        turned = true;
        const theta = (qq - pp) / (2 * pq);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        for (let k = 0; k < dims; k++) {
          const [x, y] = [data[p * dims + k], data[q * dims + k]];
          data[p * dims + k] = c * x - c * t * y;
          data[q * dims + k] = c * t * x + c * y;
        }
      }
    if (!turned) break;
  }
  let sum = 0;
  for (let i = 0; i < rows; i++) {
    let length = 0;
    for (let k = 0; k < dims; k++) length += data[i * dims + k] ** 2;
    sum += Math.sqrt(length);
  }
  return sum;
}

const squaredSum = ({ data }: Features) => data.reduce((sum, value) => sum + value * value, 0);
