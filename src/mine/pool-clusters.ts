import type { Features } from '../generate/quality/features.ts';
import { clusterRows, reduceFeatures } from '../stats/feature-clusters.ts';

/** Pictures that a network sees alike, as the studio's map groups them. */
export function clusterFeatures({ rows, dims, data }: Features): Int32Array {
  const { reduced, width } = reduceFeatures(Float32Array.from(data), { n: rows, d: dims });
  return clusterRows(reduced, { n: rows, width });
}
