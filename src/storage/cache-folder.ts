import { createHash, randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { expected } from '../contracts/errors.ts';
import { endpoint } from './client.ts';

const gigabyte = 1e9;
const usualBytes = 10 * gigabyte;

/** Where copies of what lies on object storage are kept, for every server its own. */
export function storageCache(env: NodeJS.ProcessEnv = process.env): string {
  const home = env.SCENESHIFT_CACHE || join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sceneshift');
  return join(home, 's3', hashName(endpoint(env) || 'aws'));
}

/** At most so many bytes of pictures and models are kept. */
export function cacheBytes(env: NodeJS.ProcessEnv = process.env): number {
  const given = env.SCENESHIFT_CACHE_SIZE;
  if (!given) return usualBytes;
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([KMGT]?)B?$/i.exec(given.trim()) ?? [];
  const bytes = Number(number) * 1000 ** ' KMGT'.indexOf((unit || ' ').toUpperCase());
  if (!(bytes > 0)) throw expected('a size such as 500M or 20G', 'SCENESHIFT_CACHE_SIZE', given);
  return bytes;
}

export const hashName = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** `id` is a hash of the object's address, ETag and size, so that a changed object never overwrites the file being read. */
export const contentFile = (id: string): string => join(storageCache(), 'content', id.slice(0, 2), id);
/** Each model with what stands beside it, in a folder of its own. */
export const modelFolder = (id: string): string => join(storageCache(), 'models', id);

/** Has `write` make a file under a temporary name and renames it, so that it is whole or not there. */
export async function keep(file: string, write: (partial: string) => Promise<void>): Promise<void> {
  const partial = join(storageCache(), 'partial', randomUUID());
  await mkdir(dirname(partial), { recursive: true });
  await mkdir(dirname(file), { recursive: true });
  try {
    await write(partial);
    await rename(partial, file);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

export const keepText = (file: string, text: string): Promise<void> =>
  keep(file, (partial) => writeFile(partial, text));

/** Marks a file as used now. */
export async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => undefined);
}

let bytesSince = Number.POSITIVE_INFINITY;

/** Called with the bytes just added: from time to time removes the files used longest ago, down to the limit. */
export async function makeRoom(added: number): Promise<void> {
  const limit = cacheBytes();
  bytesSince += added;
  // Looking takes time where there are many files; several processes that look now and then keep the limit all the same.
  if (bytesSince < limit / 100) return;
  bytesSince = 0;
  const kept = [...(await listContent()), ...(await listModels())];
  let total = kept.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= limit) return;
  for (const { path, bytes } of kept.sort((a, b) => a.used - b.used)) {
    await rm(path, { recursive: true, force: true });
    total -= bytes;
    if (total <= 0.8 * limit) break;
  }
}

interface Kept {
  readonly path: string;
  readonly bytes: number;
  readonly used: number;
}

async function listContent(): Promise<Kept[]> {
  const folder = join(storageCache(), 'content');
  const kept: Kept[] = [];
  for (const group of await names(folder))
    for (const name of await names(join(folder, group))) {
      const path = join(folder, group, name);
      const found = await look(path);
      if (found) kept.push({ path, bytes: found.size, used: found.mtimeMs });
    }
  return kept;
}

/**
 * Models used within this time are kept whatever the limit, because every thread that opens one reads its file again.
 */
const modelSeconds = 24 * 3600;

async function listModels(): Promise<Kept[]> {
  const folder = join(storageCache(), 'models');
  const kept: Kept[] = [];
  for (const name of await names(folder)) {
    const path = join(folder, name);
    const used = (await look(path))?.mtimeMs ?? 0;
    if (Date.now() - used < 1000 * modelSeconds) continue;
    let bytes = 0;
    for (const file of await readdir(path, { recursive: true }).catch(() => []))
      bytes += (await look(join(path, file)))?.size ?? 0;
    kept.push({ path, bytes, used });
  }
  return kept;
}

const names = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
const look = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);
