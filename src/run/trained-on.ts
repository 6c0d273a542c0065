import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { writeAtomic } from './atomic.ts';
import { hashPaths } from './sample-hashes.ts';

/** The list beside a written head: a line for every photograph it was trained on, with the start of the file's hash. */
const listOf = (model: string) => model.replace(/\.onnx$/i, '.trained-on.txt');
const short = (hash: string) => hash.slice(0, 16);

/** Notes which photographs a written head has seen; returns the file's path. */
export async function writeTrainedOn(model: string, images: readonly string[]): Promise<string> {
  const hashes = [...(await hashPaths(images)).values()].map(short);
  const path = listOf(model);
  await writeAtomic(
    dirname(path),
    basename(path),
    [...new Set(hashes)]
      .sort()
      .map((hash) => `${hash}\n`)
      .join(''),
  );
  return path;
}

/** How many of these photographs a model was trained on; 0 where nothing is known of it. */
export async function countTrainedOn(model: string, images: readonly string[]): Promise<number> {
  if (!/\.onnx$/i.test(model)) return 0;
  const text = await readFile(listOf(model), 'utf8').catch(() => '');
  const seen = new Set(text.split('\n').filter(Boolean));
  if (!seen.size) return 0;
  const hashes = await hashPaths(images);
  return images.filter((image) => seen.has(short(hashes.get(image) ?? ''))).length;
}
