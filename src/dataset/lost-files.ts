import { constants } from 'node:fs';
import { access, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadProblem } from './define.ts';
import { isClutter, isMaskName } from './files.ts';

/**
 * Below a dataset: links that lead nowhere, folders that may not be opened, and names of pictures that are not regular
 * files.
 */
export async function findLost(root: string): Promise<ReadProblem[]> {
  const lost: ReadProblem[] = [];
  const visited = new Set<string>();
  const add = (path: string, problem: string, message: string) =>
    lost.push({ sample: path, file: join(root, path), problem, message });
  const enter = async (folder: string) => {
    const path = join(root, folder);
    const real = await realpath(path).catch(() => undefined);
    if (!real || visited.has(real)) return;
    visited.add(real);
    const readable = await access(path, constants.R_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    const entries = readable ? await readdir(path, { withFileTypes: true }).catch(() => undefined) : undefined;
    if (!entries) {
      add(folder || '.', 'unreadable-file', 'the folder may not be opened; what lies in it is not counted');
      return;
    }
    for (const entry of entries) {
      if (isClutter(entry.name)) continue;
      const below = folder ? `${folder}/${entry.name}` : entry.name;
      const isLink = entry.isSymbolicLink();
      const target = isLink ? await stat(join(root, below)).catch(() => undefined) : entry;
      if (!target) add(below, 'missing-file', 'the link leads to nothing');
      else if (target.isDirectory()) await enter(below);
      else if (!target.isFile() && isMaskName(entry.name))
        add(below, 'unreadable-file', 'it is no file but a pipe, a socket or a device');
    }
  };
  await enter('');
  return lost.sort((a, b) => (a.sample < b.sample ? -1 : 1));
}
