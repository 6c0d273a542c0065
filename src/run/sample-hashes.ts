import { UserError } from '../contracts/errors.ts';
import type { MaskSource, Sample } from '../contracts/sample.ts';
import type { Need } from '../scenarios/define.ts';
import type { NamedScenario } from '../scenarios/name.ts';
import { readDropped } from './generated-folder.ts';
import { hashFile, hashJson } from './hash.ts';
import { listPictures } from './list-pictures.ts';
import { paints } from './paint-ahead.ts';
import { paintingIdentity } from './painter.ts';
import type { PaintingOptions } from './painting-options.ts';

/** Hashes of files by path. */
export type FileHashes = ReadonlyMap<string, string>;

export async function hashPaths(paths: readonly string[]): Promise<FileHashes> {
  const hashes = new Map(paths.map((path) => [path, '']));
  const queue = hashes.keys();
  const drain = async () => {
    for (const path of queue) hashes.set(path, await hashFile(path).catch(unreadable));
  };
  await Promise.all(Array.from({ length: 8 }, drain));
  return hashes;
}

/**
 * An unreadable file is an error of its sample and reported when that is decoded; a storage that does not answer ends
 * the command.
 */
function unreadable(error: unknown): string {
  if (error instanceof UserError) throw error;
  return 'unreadable';
}

/** The pictures and masks of some samples. */
export const hashSources = (samples: readonly Sample[]): Promise<FileHashes> => hashPaths(filesOf(samples));

export const filesOf = (samples: readonly Sample[]): string[] =>
  samples.flatMap(({ image, mask, protect }) => [
    image,
    ...[mask, protect].flatMap((source) => (source?.kind === 'file' ? [source.path] : [])),
  ]);

/** All that a sample brings to its variants: its facts, and the bytes of its picture and masks, wherever they lie. */
export function hashSample(sample: Sample, files: FileHashes, more: Record<string, unknown> = {}): string {
  const { image, mask, protect, ...facts } = sample;
  const hashed = (source: MaskSource | undefined) =>
    source?.kind === 'file' ? { ...source, soft: undefined, path: files.get(source.path) } : source;
  return hashJson({
    ...facts,
    ...more,
    image: files.get(image),
    mask: hashed(mask),
    ...(protect && { protect: hashed(protect) }),
  });
}

const poolNeeds = ['backgrounds', 'generator', 'others'] as const satisfies Need[];
export type PoolHashes = Record<(typeof poolNeeds)[number], unknown>;

interface Pools {
  readonly backgrounds?: readonly string[];
  readonly generated?: string;
  readonly painting?: PaintingOptions;
  readonly scenarios: readonly NamedScenario[];
}

/** What a scenario's other pictures depend on, by what it needs them for. `dataHash`: of all samples together. */
export async function hashPools(pools: Pools, dataHash: string): Promise<PoolHashes> {
  const { backgrounds, generated, painting, scenarios } = pools;
  return {
    backgrounds: backgrounds ? await hashAll(backgrounds) : dataHash,
    generator: {
      given: generated ? await hashGenerated(generated) : null,
      painted: paints(scenarios, generated) ? await paintingIdentity(painting ?? {}) : null,
    },
    others: dataHash,
  };
}

/** The pools that a scenario of these needs draws from. */
export const poolsFor = (needs: readonly Need[], pools: PoolHashes): unknown[] =>
  poolNeeds.filter((need) => needs.includes(need)).map((need) => pools[need]);

/**
 * Dropped pictures are part of the hash, because they are not used. Without any the hash is the plain one, so that
 * answers stored before pictures could be dropped still hold.
 */
async function hashGenerated(folder: string): Promise<unknown> {
  const [pictures, dropped] = [await hashAll(await listPictures(folder)), await readDropped(folder)];
  return dropped.length ? { pictures, dropped: dropped.map(({ id }) => id).sort() } : pictures;
}

const hashAll = async (paths: readonly string[]) => hashJson([...(await hashPaths(paths)).values()]);
