import { copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { renameDurably } from './atomic.ts';
import { hashJson } from './hash.ts';
import { isPartFile } from './render-index.ts';

/** Files that describe one folder alone, or that the command which finishes the whole writes again. */
const ownFiles = new Set([
  'run.json',
  'errors.jsonl',
  'manifest.csv',
  'dropped.csv',
  'labels.txt',
  'report.html',
  '.lock',
]);
const ownFolders = new Set(['.partial', '.queue']);

/**
 * Copies the files that the target lacks: their names, or the lists beside them, hold hashes of all that decided them.
 */
export async function joinFiles(source: string, target: string, skip: (path: string) => boolean): Promise<number> {
  let copied = 0;
  for (const path of await filesBelow(source)) {
    if (skip(path)) continue;
    // Each folder's list of what it rendered stands beside the others', until the whole is listed.
    const isList = path === '.rendered.jsonl' || isPartFile(path);
    const name = isList ? `.rendered-from-${hashJson([source, path]).slice(0, 8)}.jsonl` : path;
    if (!isList && (await stat(join(target, name)).catch(() => undefined))) continue;
    await mkdir(dirname(join(target, name)), { recursive: true });
    const partial = join(target, dirname(name), `.${basename(name)}.partial`);
    await copyFile(join(source, path), partial);
    await renameDurably(partial, join(target, name));
    if (!isList) copied++;
  }
  return copied;
}

async function filesBelow(folder: string, under = ''): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, under), { withFileTypes: true })) {
    const path = under ? `${under}/${entry.name}` : entry.name;
    if (entry.isDirectory() && !(under === '' && ownFolders.has(entry.name)))
      found.push(...(await filesBelow(folder, path)));
    else if (entry.isFile() && !(under === '' && ownFiles.has(entry.name)) && !entry.name.endsWith('.partial'))
      found.push(path);
  }
  return found.sort();
}
