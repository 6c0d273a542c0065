import { UserError } from '../contracts/errors.ts';
import { threadsFrom } from '../run/inputs.ts';
import { openFeatureReader } from '../run/picture-features.ts';
import { clusterRows, reduceFeatures } from '../stats/feature-clusters.ts';
import { pictureFiles } from './hard-pictures.ts';
import type { PicturePool } from './pool.ts';

/** Pictures that a network sees alike, as the studio's map groups them. */
export async function clusterPool(pool: PicturePool, run: string, backbone: string): Promise<Int32Array> {
  const files = (await pictureFiles(pool.items, run)).map(({ image }) => image);
  const reader = await openFeatureReader(backbone, { threads: threadsFrom(undefined) });
  try {
    const { rows, dims, data } = await reader.read(files);
    if (rows !== files.length) throw new UserError(`${files.length - rows} pictures of the pool can no longer be read`);
    const { reduced, width } = reduceFeatures(Float32Array.from(data), { n: rows, d: dims });
    return clusterRows(reduced, { n: rows, width });
  } finally {
    await reader.close();
  }
}
