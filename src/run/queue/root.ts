import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { below, isBelow, isS3, isSafeKey, parseS3, s3Url } from '../../storage/s3-url.ts';

/** A path as the coordinator writes it into the queue: relative to the place that all machines see. */
export function belowRoot(root: string, path: string, what: string): string {
  const inside = isS3(root) ? keyBelow(root, path) : isS3(path) ? '..' : relative(root, resolve(path));
  if (isOutside(inside))
    throw new UserError(`${what} ${path} is not below ${root}: workers see only what is; choose another --root`);
  return inside.split(sep).join('/') || '.';
}

const isOutside = (way: string) => way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);

/** The key relative to the root; `..` where it does not lie below it. */
function keyBelow(root: string, path: string): string {
  if (!isS3(path) || !isBelow(path, root)) return '..';
  return s3Url(parseS3(path)).slice(s3Url(parseS3(root)).length + 1);
}

/** The same path on a worker's machine; refuses what leads out of its root, also over links. */
export async function insideRoot(root: string, path: string): Promise<string> {
  if (isS3(root)) {
    if (isS3(path) || !isSafeKey(path === '.' ? '' : path))
      throw new UserError(`The queue names ${path}, which is not below ${root}; refused`);
    return s3Url(path === '.' ? parseS3(root) : below(parseS3(root), path));
  }
  const home = await realpath(resolve(root));
  const at = resolve(home, path);
  const real = await realpath(at).catch(() => at);
  for (const place of [at, real])
    if (isOutside(relative(home, place)))
      throw new UserError(`The queue names ${path}, which is not below ${root}; refused`);
  return at;
}
