import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { openRegularFile } from '../formats/regular-file.ts';
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

export async function hashFile(path: string): Promise<string> {
  const known = await knownHash(path);
  if (known) return known;
  const hash = createHash('sha256');
  const { handle } = await openRegularFile(path);
  await pipeline(handle.createReadStream(), hash);
  const found = hash.digest('hex');
  await rememberHash(path, found);
  return found;
}
