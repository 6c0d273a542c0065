import { UserError } from '../contracts/errors.ts';
import { isInShare } from '../contracts/queue.ts';
import { type Features, toFeatures } from '../generate/quality/features.ts';
import type { DatasetSettings } from '../run/configured-dataset.ts';
import { type FeatureStore, openFeatureStore } from '../run/feature-store.ts';
import { hashJson } from '../run/hash.ts';
import { inFolder, type PartOptions } from '../run/part.ts';
import type { FeatureReader } from '../run/picture-features.ts';
import { hashPaths } from '../run/sample-hashes.ts';
import { pictureFiles } from './hard-pictures.ts';
import type { PicturePool } from './pool.ts';

export interface PoolFeatureOptions extends PartOptions {
  /** The run folder, in which features are kept. */
  readonly run: string;
  /** The network. */
  readonly reader: FeatureReader;
  /** Where the pictures are, where not as the run's record says. */
  readonly dataset?: DatasetSettings;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** So many pictures' features are lost at most when the process is killed. */
const perShard = 64;

/**
 * A network's features of every picture of a pool, in the pool's order. Each is computed once and kept in the run folder, so that
 * the same call continues after a kill and shares can be joined. Undefined: only a share was computed.
 */
export async function poolFeatures(pool: PicturePool, options: PoolFeatureOptions): Promise<Features | undefined> {
  const { run, reader, share, signal } = options;
  const files = (await pictureFiles(pool.items, run, options.dataset)).map(({ image }) => image);
  // Shares may stand in one folder that several machines see.
  const sideBySide = options.sideBySide || share !== undefined;
  return inFolder(run, { sideBySide }, async () => {
    const hashes = await hashPaths(files);
    const keys = files.map((file) => hashJson([reader.identity, hashes.get(file)]));
    let store = openFeatureStore(run, reader.dims);
    // Pictures that are the same have the same features.
    const different = [...new Map(keys.map((key, place) => [key, place])).values()];
    const missing = () => different.filter((place) => isInShare(place, share) && !store.has(keys[place]));
    if (options.elsewhere && missing().length) {
      await options.elsewhere(missing());
      store = openFeatureStore(run, reader.dims);
    }
    await compute(
      missing().map((place) => ({ key: keys[place], file: files[place] })),
      { store, reader, signal, onProgress: options.onProgress },
    );
    signal?.throwIfAborted();
    if (share) return undefined;
    return toFeatures(keys.map((key) => store.read([key])));
  });
}

interface Computing extends Pick<PoolFeatureOptions, 'signal' | 'onProgress'> {
  readonly store: FeatureStore;
  readonly reader: FeatureReader;
}

async function compute(
  missing: readonly { readonly key: string; readonly file: string }[],
  { store, reader, signal, onProgress }: Computing,
): Promise<void> {
  for (let at = 0; at < missing.length && !signal?.aborted; at += perShard) {
    const made: { key: string; row: Float32Array }[] = [];
    for (const { key, file } of missing.slice(at, at + perShard)) {
      if (signal?.aborted) break;
      const row = await reader.readOne(file);
      if (!row)
        throw new UserError(`${file} can no longer be read as a picture; run again without it`, { exitCode: 1 });
      made.push({ key, row });
      onProgress?.(at + made.length, missing.length);
    }
    const rows = new Float32Array(made.length * store.d);
    for (const [i, { row }] of made.entries()) rows.set(row, i * store.d);
    await store.write(
      made.map(({ key }) => key),
      rows,
    );
  }
}
