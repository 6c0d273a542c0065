import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { UserError } from '../../contracts/errors.ts';

/** A path as the coordinator writes it into the queue: relative to the folder that all machines see. */
export function belowRoot(root: string, path: string, what: string): string {
  const inside = relative(root, resolve(path));
  if (isOutside(inside))
    throw new UserError(`${what} ${path} is not below ${root}: workers see only what is; choose another --root`);
  return inside.split(sep).join('/') || '.';
}

const isOutside = (way: string) => way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);

/** The same path on a worker's machine; refuses what leads out of its root, also over links. */
export async function insideRoot(root: string, path: string): Promise<string> {
  const home = await realpath(resolve(root));
  const at = resolve(home, path);
  const real = await realpath(at).catch(() => at);
  for (const place of [at, real])
    if (isOutside(relative(home, place)))
      throw new UserError(`The queue names ${path}, which is not below ${root}; refused`);
  return at;
}
