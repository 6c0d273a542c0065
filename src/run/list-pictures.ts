import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { expected } from '../contracts/errors.ts';

const pictures = new Set(['.jpg', '.jpeg', '.png', '.webp', '.avif', '.tif', '.tiff', '.gif', '.bmp']);

/** The pictures below a folder, in an order that does not depend on the file system. */
export async function listPictures(folder: string, option = '--generated'): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => {
    throw expected('a folder of pictures', option, folder);
  });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && pictures.has(extname(entry.name).toLowerCase()))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  if (!files.length) throw expected('a folder with at least one picture', option, folder);
  return files;
}

export const listBackgrounds = (folder: string): Promise<string[]> => listPictures(folder, '--backgrounds');
