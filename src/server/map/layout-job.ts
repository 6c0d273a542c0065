import { defineJob } from '../../run/jobs.ts';
import { clusterRows, reduceFeatures } from '../../stats/feature-clusters.ts';
import { nearestNeighbours } from '../../stats/nearest-neighbours.ts';
import { neighbourMap } from '../../stats/neighbour-map.ts';
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

const neighbours = 15;

/** Features to a map and clusters, in a thread of its own. */
export const layoutJob = defineJob<Record<string, never>, LayoutTask, LayoutResult>({
  name: 'studio-layout',
  async open() {
    return {
      async run({ rows, n, d }) {
        const { reduced, width } = reduceFeatures(rows, { n, d });
        const k = Math.min(neighbours, n - 1);
        const start = Float32Array.from({ length: 2 * n }, (_, i) => reduced[Math.floor(i / 2) * width + (i % 2)] ?? 0);
        const near = nearestNeighbours(reduced, { n, d: width, k });
        const map = neighbourMap(near, start, { n, k, random: randomFor('map', 'layout') });
        return { map, cluster: clusterRows(reduced, { n, width }) };
      },
      async close() {},
    };
  },
});
