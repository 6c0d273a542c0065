import { defineJob } from '../../run/jobs.ts';
import { kMeans } from '../../stats/k-means.ts';
import { nearestNeighbours } from '../../stats/nearest-neighbours.ts';
import { neighbourMap } from '../../stats/neighbour-map.ts';
import { principalComponents } from '../../stats/principal-components.ts';
import { randomFor } from '../../stats/random.ts';

export interface LayoutTask {
  readonly rows: Float32Array;
  readonly n: number;
  readonly d: number;
}

export interface LayoutResult {
  /** x, y of every row. */
  readonly map: Float32Array;
  readonly cluster: Int32Array;
}

const components = 24;
const neighbours = 15;

/** Features to a map and clusters, in a thread of its own. */
export const layoutJob = defineJob<Record<string, never>, LayoutTask, LayoutResult>({
  name: 'studio-layout',
  async open() {
    return {
      async run({ rows, n, d }) {
        const unit = normalised(rows, n, d);
        const width = Math.min(components, d, n);
        const reduced = principalComponents(unit, { n, d, count: width, random: randomFor('map', 'components') });
        const k = Math.min(neighbours, n - 1);
        const start = Float32Array.from({ length: 2 * n }, (_, i) => reduced[Math.floor(i / 2) * width + (i % 2)] ?? 0);
        const near = nearestNeighbours(reduced, { n, d: width, k });
        const map = neighbourMap(near, start, { n, k, random: randomFor('map', 'layout') });
        const clusters = Math.max(2, Math.min(40, Math.round(Math.sqrt(n / 8))));
        return {
          map,
          cluster: kMeans(reduced, { n, d: width, k: Math.min(clusters, n), random: randomFor('map', 'clusters') }),
        };
      },
      async close() {},
    };
  },
});

/** Every row of length one: networks differ in the scale of their features, directions carry the meaning. */
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
