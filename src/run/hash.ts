import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { openRegularFile, readUpTo } from '../formats/regular-file.ts';
import { knownHash, rememberHash } from '../storage/content.ts';

/** JSON with sorted keys: the same value gives the same text whatever order it was built in. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item) =>
    item && typeof item === 'object' && !Array.isArray(item) && !ArrayBuffer.isView(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : item,
  );
}

/** 128 bits, enough that two different things never share a name. */
export const hashJson = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 32);

let remembered: Map<string, { readonly state: string; readonly hash: string }> | undefined;

/** For a process that plans the same data repeatedly: a file that has not changed since is not hashed again. */
export function rememberFileHashes(): void {
  remembered ??= new Map();
}

export async function hashFile(path: string): Promise<string> {
  const known = await knownHash(path);
  if (known) return known;
  const found = remembered ? await hashOnce(path, remembered) : await hashBytes(path);
  await rememberHash(path, found);
  return found;
}

async function hashOnce(path: string, hashes: NonNullable<typeof remembered>): Promise<string> {
  const { size, mtimeNs, ino } = await stat(path, { bigint: true });
  const state = `${ino} ${size} ${mtimeNs}`;
  const known = hashes.get(path);
  if (known?.state === state) return known.hash;
  const hash = await hashBytes(path);
  hashes.set(path, { state, hash });
  return hash;
}

/** Files up to this size are read whole: a stream costs several times as much as hashing a photograph. */
const smallBytes = 4 * 2 ** 20;

async function hashBytes(path: string): Promise<string> {
  const hash = createHash('sha256');
  const found = await readUpTo(path, smallBytes);
  if (typeof found !== 'number') return hash.update(found).digest('hex');
  const { handle } = await openRegularFile(path);
  await pipeline(handle.createReadStream(), hash);
  return hash.digest('hex');
}
