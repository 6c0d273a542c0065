/** Mean and spread of every feature, fitted on some rows and applied to any. */
export interface Scaling {
  readonly mean: Float64Array;
  readonly scale: Float64Array;
}

/** Rows of features, n × d. */
export interface Rows {
  readonly data: Float32Array;
  readonly n: number;
  readonly d: number;
}

/**
 * Mean and standard deviation (over n, not n − 1) of the rows named. A feature that does not vary, by scikit-learn's
 * measure of rounding, keeps its scale: it is only shifted.
 */
export function fitScaling({ data, d }: Rows, rows: ArrayLike<number>): Scaling {
  const n = rows.length;
  const mean = new Float64Array(d);
  for (let i = 0; i < n; i++) for (let j = 0, at = rows[i] * d; j < d; j++) mean[j] += data[at + j];
  for (let j = 0; j < d; j++) mean[j] /= n;
  const variance = new Float64Array(d);
  for (let i = 0; i < n; i++)
    for (let j = 0, at = rows[i] * d; j < d; j++) variance[j] += (data[at + j] - mean[j]) ** 2;
  const scale = new Float64Array(d);
  for (let j = 0; j < d; j++) {
    const spread = variance[j] / n;
    const rounding = n * Number.EPSILON * spread + (n * mean[j] * Number.EPSILON) ** 2;
    scale[j] = spread <= rounding ? 1 : Math.sqrt(spread);
  }
  return { mean, scale };
}

/** The rows named, standardised. */
export function standardise({ data, d }: Rows, rows: ArrayLike<number>, { mean, scale }: Scaling): Float64Array {
  const out = new Float64Array(rows.length * d);
  for (let i = 0, to = 0; i < rows.length; i++)
    for (let j = 0, at = rows[i] * d; j < d; j++, to++) out[to] = (data[at + j] - mean[j]) / scale[j];
  return out;
}
