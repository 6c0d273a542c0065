import type { Deviations } from './squared-length.ts';

/**
 * Deviations with the covariance of what each cluster adds to them (row-major, one row per cluster, rows summing to
 * about zero: the linearised, infinitesimal-jackknife covariance), its degrees of freedom by the clusters' fourth moments
 * and its tilt by their third.
 */
export function fromInfluence(
  values: Float64Array,
  influence: Float64Array,
  clusters: number,
  extra?: Float64Array,
): Deviations {
  const size = values.length;
  const covariance = new Float64Array(size * size);
  const correction = clusters / (clusters - 1);
  for (let g = 0; g < clusters; g++) {
    const at = g * size;
    for (let j = 0; j < size; j++) {
      const a = influence[at + j];
      if (a !== 0) for (let k = 0; k <= j; k++) covariance[j * size + k] += a * influence[at + k];
    }
  }
  let [noise, length] = [0, 0];
  for (let j = 0; j < size; j++) {
    length += values[j] ** 2;
    for (let k = 0; k <= j; k++) {
      covariance[j * size + k] *= correction;
      covariance[k * size + j] = covariance[j * size + k];
    }
    noise += covariance[j * size + j];
  }
  const signal = length > 0 ? Math.max(0, length - noise) / length : 0;
  const [first, second, squares, cubes] = momentSums({ values, influence, clusters, covariance, extra, signal });
  const mean = first / clusters;
  const spread = second / clusters - mean * mean;
  const df = mean > 0 && spread > 0 ? Math.max(4, (2 * clusters * mean * mean) / spread) : Math.max(4, clusters - 1);
  return { values, covariance, extra, df, tilt: squares > 0 ? cubes / (squares * squares) : 0 };
}

interface Parts {
  readonly values: Float64Array;
  readonly influence: Float64Array;
  readonly clusters: number;
  readonly covariance: Float64Array;
  readonly extra: Float64Array | undefined;
  readonly signal: number;
}

// What a cluster adds to the variance of the squared length, its square; and, along the deviations, its square and cube.
function momentSums({ values, influence, clusters, covariance, extra, signal }: Parts): number[] {
  const size = values.length;
  const metric = covariance.map((value, i) => value + (extra?.[i] ?? 0));
  const sums = [0, 0, 0, 0];
  for (let g = 0; g < clusters; g++) {
    const at = g * size;
    let [along, form] = [0, 0];
    for (let j = 0; j < size; j++) {
      const a = influence[at + j];
      if (a === 0) continue;
      along += a * values[j];
      let row = 0;
      for (let k = 0; k < size; k++) row += metric[j * size + k] * influence[at + k];
      form += a * row;
    }
    const added = 2 * form + 4 * signal * along * along;
    sums[0] += added;
    sums[1] += added * added;
    sums[2] += along * along;
    sums[3] += along ** 3;
  }
  return sums;
}

/**
 * Variance that Jeffreys' prior would add to a share, so that a scenario without any error does not count as certain.
 */
export function smoothing(share: number, n: number): number {
  const smoothed = (share * n + 0.5) / (n + 1);
  return Math.max(0, smoothed * (1 - smoothed) - share * (1 - share)) / n;
}
