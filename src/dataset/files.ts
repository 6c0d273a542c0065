import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { openRegularFile, readRegularFile } from '../formats/regular-file.ts';

const imageExtensions = new Set(
  'jpg jpeg jpe jfif png webp avif tif tiff gif bmp'.split(' ').map((extension) => `.${extension}`),
);
const maskExtensions = new Set([...imageExtensions, '.npy']);

export const isImageName = (name: string): boolean => imageExtensions.has(extname(name).toLowerCase());
export const isMaskName = (name: string): boolean => maskExtensions.has(extname(name).toLowerCase());

/** A path without its extension, its letters composed: macOS writes accents apart, other systems together. */
export const stemOf = (path: string): string => path.slice(0, path.length - extname(path).length).normalize('NFC');

/** Left behind by systems and tools, never part of a dataset. */
export const isClutter = (name: string) =>
  name.startsWith('.') ||
  name === '__MACOSX' ||
  name === 'Thumbs.db' ||
  name === 'desktop.ini' ||
  name === '$RECYCLE.BIN';

const byName = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

export interface Listing {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** The files and folders directly below a folder, sorted, links followed; empty where there is no such folder. */
export async function list(folder: string): Promise<Listing> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch {
    return { files: [], folders: [] };
  }
  const files: string[] = [];
  const folders: string[] = [];
  for (const entry of entries) {
    if (isClutter(entry.name)) continue;
    const target = entry.isSymbolicLink() ? await stat(join(folder, entry.name)).catch(() => undefined) : entry;
    if (target?.isDirectory()) folders.push(entry.name);
    else if (target?.isFile()) files.push(entry.name);
  }
  return { files: files.sort(byName), folders: folders.sort(byName) };
}

/** Every file below a folder, as `/`-separated paths relative to it, sorted; links are followed once. */
export async function walk(
  folder: string,
  {
    accept = () => true,
    skipFolder = () => false,
  }: { accept?: (name: string) => boolean; skipFolder?: (path: string) => boolean } = {},
): Promise<string[]> {
  const found: string[] = [];
  const visited = new Set<string>();
  const enter = async (relative: string) => {
    const real = await realpath(join(folder, relative)).catch(() => undefined);
    if (!real || visited.has(real)) return;
    visited.add(real);
    const { files, folders } = await list(join(folder, relative));
    for (const name of files) if (accept(name)) found.push(relative ? `${relative}/${name}` : name);
    for (const name of folders) {
      const below = relative ? `${relative}/${name}` : name;
      if (!skipFolder(below)) await enter(below);
    }
  };
  await enter('');
  return found.sort(byName);
}

/** The first bytes of a file as text, for detection. */
export async function readHead(file: string, bytes = 65536): Promise<string> {
  const { handle } = await openRegularFile(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer
      .subarray(0, bytesRead)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
  } finally {
    await handle.close();
  }
}

/** The whole text of a file; throws `SampleError` where it is not a regular file or may not be read. */
export async function readText(file: string): Promise<string> {
  return (await readRegularFile(file)).toString('utf8').replace(/^\uFEFF/, '');
}

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
