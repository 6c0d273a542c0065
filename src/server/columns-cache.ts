import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunColumns } from '../contracts/explore/columns.ts';
import { unpackColumns } from '../contracts/explore/pack.ts';
import { hashJson } from '../run/hash.ts';
import { createPool } from '../run/pool.ts';
import { cacheFolder, readCache, writeCache } from './cache-folder.ts';
import { columnsJob } from './columns-job.ts';
import { readColumns } from './columns-reader.ts';

/** Small runs are read faster than they are looked up. */
const leastShards = 20;
/** So many are read at once where all take seconds. */
const headShards = 8;
const mostBytes = 1 << 30;
const suffix = '.columns';

export interface ComingColumns {
  readonly whole: Promise<RunColumns>;
  /** The first answers, where all of them must be read anew and are many; nothing where `whole` is there as soon. */
  readonly head: Promise<RunColumns | undefined>;
}

export interface ColumnsOptions {
  /** Answers of an earlier look, shown in the place of the first ones. */
  readonly earlier?: RunColumns;
  /** What needs the first answers and the processor, before the rest is read. */
  readonly beforeRest?: (head: RunColumns) => Promise<void>;
}

/** Shards never change under their names, so the list of names is the key of the cached columns. */
export function cachedColumns(
  run: string,
  shards: readonly string[],
  { earlier, beforeRest }: ColumnsOptions = {},
): ComingColumns {
  if (shards.length < leastShards) return { whole: readColumns(run, shards), head: Promise.resolve(undefined) };
  const name = `${hashJson(['columns 2', ...shards])}${suffix}`;
  const kept = readCache(name);
  const head = kept.then((known) => (known ? undefined : (earlier ?? readColumns(run, shards.slice(0, headShards)))));
  const make = async (): Promise<RunColumns> => {
    const known = await kept;
    if (known) return unpacked(known);
    // The head and its first page alone: they take a moment. What cannot be read is said of the whole.
    await head.then((first) => first && beforeRest?.(first)).catch(() => undefined);
    const packed = await readAside(run, shards);
    await writeCache(name, packed);
    await prune();
    return unpacked(packed);
  };
  return { whole: make(), head };
}

async function readAside(run: string, shards: readonly string[]): Promise<Uint8Array> {
  const pool = await createPool(columnsJob, null, { threads: 1 });
  try {
    let packed: Uint8Array | undefined;
    await pool.forEach([{ run, shards }], (result) => {
      packed = result;
    });
    return packed as Uint8Array;
  } finally {
    await pool.close();
  }
}

/** Arrays need their own alignment, which a piece of a shared buffer need not have. */
function unpacked({ buffer, byteOffset, byteLength }: Uint8Array): RunColumns {
  const isWhole = byteOffset === 0 && byteLength === buffer.byteLength;
  return unpackColumns((isWhole ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)) as ArrayBuffer);
}

async function prune(): Promise<void> {
  const names = (await readdir(cacheFolder()).catch(() => [])).filter((name) => name.endsWith(suffix));
  const files = await Promise.all(
    names.map(async (name) => ({
      path: join(cacheFolder(), name),
      found: await stat(join(cacheFolder(), name)).catch(() => undefined),
    })),
  );
  let held = 0;
  for (const { path, found } of files.sort((a, b) => (b.found?.mtimeMs ?? 0) - (a.found?.mtimeMs ?? 0))) {
    held += found?.size ?? 0;
    if (held > mostBytes) await rm(path, { force: true });
  }
}
