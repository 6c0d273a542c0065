export interface Eigen {
  readonly values: Float64Array;
  /** Column j (`vectors[i * size + j]`) belongs to value j. */
  readonly vectors: Float64Array;
}

/** Eigenvalues and vectors of a symmetric matrix by Jacobi's rotations (Golub and Van Loan, §8.5); for tens of rows. */
export function symmetricEigen(matrix: Float64Array, size: number): Eigen {
  const a = Float64Array.from(matrix);
  const vectors = new Float64Array(size * size);
  for (let i = 0; i < size; i++) vectors[i * size + i] = 1;
  for (let sweep = 0; sweep < 40; sweep++) {
    let [off, diagonal] = [0, 0];
    for (let i = 0; i < size; i++) {
      diagonal += a[i * size + i] ** 2;
      for (let j = i + 1; j < size; j++) off += a[i * size + j] ** 2;
    }
    if (off <= 1e-28 * diagonal) break;
    for (let p = 0; p < size - 1; p++) for (let q = p + 1; q < size; q++) rotate(a, vectors, size, p, q);
  }
  return { values: Float64Array.from({ length: size }, (_, i) => a[i * size + i]), vectors };
}

function rotate(a: Float64Array, vectors: Float64Array, size: number, p: number, q: number): void {
  const corner = a[p * size + q];
  if (corner === 0) return;
  const theta = (a[q * size + q] - a[p * size + p]) / (2 * corner);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < size; k++) turn(a, k * size + p, k * size + q, c, s);
  for (let k = 0; k < size; k++) turn(a, p * size + k, q * size + k, c, s);
  for (let k = 0; k < size; k++) turn(vectors, k * size + p, k * size + q, c, s);
}

function turn(values: Float64Array, i: number, j: number, c: number, s: number): void {
  const [x, y] = [values[i], values[j]];
  values[i] = c * x - s * y;
  values[j] = s * x + c * y;
}
