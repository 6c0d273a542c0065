import { kMeans } from './k-means.ts';
import { principalComponents } from './principal-components.ts';
import { randomFor } from './random.ts';

const components = 24;

/** Features brought to length one, since directions carry the meaning, and to a few components. */
export function reduceFeatures(rows: Float32Array, { n, d }: { n: number; d: number }) {
  const width = Math.min(components, d, n);
  const random = randomFor('map', 'components');
  return { width, reduced: principalComponents(normalised(rows, n, d), { n, d, count: width, random }) };
}

/** Two to forty clusters of reduced features, more where there are more rows. */
export function clusterRows(reduced: Float32Array, { n, width }: { n: number; width: number }): Int32Array {
  const clusters = Math.max(2, Math.min(40, Math.round(Math.sqrt(n / 8))));
  return kMeans(reduced, { n, d: width, k: Math.min(clusters, n), random: randomFor('map', 'clusters') });
}

function normalised(rows: Float32Array, n: number, d: number): Float32Array {
  const unit = new Float32Array(n * d);
  for (let i = 0; i < n; i++) {
    let length = 0;
    for (let j = 0; j < d; j++) length += rows[i * d + j] ** 2;
    length = Math.sqrt(length) || 1;
    for (let j = 0; j < d; j++) unit[i * d + j] = rows[i * d + j] / length;
  }
  return unit;
}
