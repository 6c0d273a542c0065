import { statSync } from 'node:fs';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Sample } from '../contracts/sample.ts';
import { formatOf } from '../image/format.ts';
import { writeAtomic } from '../run/atomic.ts';
import { hashJson } from '../run/hash.ts';
import { cacheFolder } from './cache-folder.ts';

export interface Thumbnail {
  readonly bytes: Uint8Array;
  readonly type: string;
}

/** Small pictures kept on disk, so that a run that was looked at once is quick to look at again. */
export interface Thumbnails {
  /** The name of a variant's picture: of everything that decides it, the files' times among it. */
  nameOf(sample: Sample, variant: readonly unknown[]): Promise<string>;
  get(name: string): Promise<Thumbnail | undefined>;
  put(name: string, picture: Thumbnail): Promise<void>;
}

export interface ThumbnailOptions {
  /** All that decides the pictures of this set beside sample and variant: seed, settings, what may be borrowed. */
  readonly of: unknown;
  readonly folder?: string;
  /** Pictures of one set; the oldest quarter goes when there are more. */
  readonly mostPictures?: number;
  /** Sets kept; the one looked at longest ago goes. */
  readonly mostSets?: number;
}

const types: Record<string, string> = { webp: 'image/webp', jpeg: 'image/jpeg', png: 'image/png' };
const suffix = '.tile';

/** At most some 60 KB a picture that is never larger than 320 pixels: half a gigabyte in all at the very worst, a tenth as a rule. */
export function openThumbnails({
  of,
  folder = join(cacheFolder(), 'thumbnails'),
  mostPictures = 12_000,
  mostSets = 6,
}: ThumbnailOptions): Thumbnails {
  const set = hashJson([codeIdentity(), of]);
  const own = join(folder, set);
  let count: Promise<number> | undefined;
  let pruning: Promise<void> | undefined;
  const open = async () => {
    await dropSets(folder, set, mostSets);
    await utimes(own, new Date(), new Date()).catch(() => undefined);
    return (await pictures(own)).length;
  };

  return {
    async nameOf(sample, variant) {
      const files = [sample.image, ...(sample.mask?.kind === 'file' ? [sample.mask.path] : [])];
      const facts = await Promise.all(files.map((file) => stat(file).catch(() => undefined)));
      return hashJson([sample, variant, facts.map((found) => found && [found.size, found.mtimeMs])]);
    },
    async get(name) {
      const bytes = await readFile(join(own, name.slice(0, 2), `${name}${suffix}`)).catch(() => undefined);
      const type = bytes && types[formatOf(bytes) ?? ''];
      return bytes && type ? { bytes, type } : undefined;
    },
    async put(name, { bytes }) {
      count ??= open().catch(() => 0);
      // If it cannot be written to disk it is made again next time.
      await writeAtomic(own, join(name.slice(0, 2), `${name}${suffix}`), bytes).catch(() => undefined);
      const held = (await count) + 1;
      count = Promise.resolve(held);
      if (held <= mostPictures || pruning) return;
      pruning = dropOldest(own, Math.floor(0.75 * mostPictures)).then((left) => {
        count = Promise.resolve(left);
        pruning = undefined;
      });
      await pruning;
    },
  };
}

/** Another build may make other pixels: its file has another name (the hash of what is in it) or another time. */
function codeIdentity(): readonly unknown[] {
  const file = fileURLToPath(import.meta.url);
  return [basename(file), statSync(file).mtimeMs];
}

async function pictures(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(suffix))
    .map((entry) => join(entry.parentPath, entry.name));
}

async function dropOldest(folder: string, keep: number): Promise<number> {
  const files = await Promise.all(
    (await pictures(folder)).map(async (path) => ({
      path,
      time: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  files.sort((a, b) => b.time - a.time);
  await Promise.all(files.slice(keep).map(({ path }) => rm(path, { force: true }).catch(() => undefined)));
  return Math.min(files.length, keep);
}

async function dropSets(folder: string, own: string, most: number): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[0-9a-f]{32}$/.test(name) && name !== own);
  const sets = await Promise.all(
    names.map(async (name) => ({ name, time: (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  sets.sort((a, b) => b.time - a.time);
  for (const { name } of sets.slice(Math.max(0, most - 1)))
    await rm(join(folder, name), { recursive: true, force: true });
}
