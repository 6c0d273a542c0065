import { join } from 'node:path';
import type { MaskSource } from '../contracts/sample.ts';
import { isMaskName, stemOf, walk } from './files.ts';

/** Endings that a mask's name may add to its image's. */
const besideEnding = /[._-]masks?$/i;
const parallelEnding = /[._-](masks?|seg|segmentation|trimap|matte|alpha|gt)$/i;

/** Name of the image that a mask beside it belongs to, without extension; undefined: not named like a mask. */
export function besideKey(path: string): string | undefined {
  const stem = stemOf(path);
  return besideEnding.test(stem) ? stem.replace(besideEnding, '') : undefined;
}

export interface MaskFolder {
  /** Masks by image, both found by their paths relative to the folders of images and masks. */
  readonly masks: ReadonlyMap<string, MaskSource>;
  /** Masks that no image has, relative to the masks' folder. */
  readonly unused: readonly string[];
}

/**
 * A folder of masks parallel to one of images: the same path with any extension and perhaps an ending (`x_mask.png`), or,
 * where the folders are arranged differently, the same file name. A name is enough only where one mask and one image have
 * it: `cat/001.png` is never the mask of `dog/001.jpg` because that one has none.
 */
export async function pairMaskFolder(folder: string, images: readonly string[]): Promise<MaskFolder> {
  const files = await walk(folder, { accept: isMaskName });
  const byPath = new Map<string, string>();
  for (const file of files) {
    const stem = stemOf(file);
    for (const key of keysOf(stem)) if (!byPath.has(key) || key === stem) byPath.set(key, file);
  }
  const found = new Map<string, string>();
  for (const image of images) {
    const file = byPath.get(stemOf(image));
    if (file) found.set(image, file);
  }
  const taken = new Set(found.values());
  const free = only(
    files.filter((file) => !taken.has(file)),
    (file) => keysOf(stemOf(file)).map(nameOf),
  );
  const lacking = only(
    images.filter((image) => !found.has(image)),
    (image) => [nameOf(stemOf(image))],
  );
  const alike = only(files, (file) => keysOf(stemOf(file)).map(nameOf));
  for (const [name, image] of lacking) {
    const file = free.get(name);
    if (file && image && alike.get(name)) found.set(image, file);
  }
  const used = new Set(found.values());
  return {
    masks: new Map([...found].map(([image, file]) => [image, { kind: 'file', path: join(folder, file) }])),
    unused: files.filter((file) => !used.has(file)),
  };
}

/** Names that a mask's image may have, without extension: its own, and that without an ending such as `_mask`. */
const keysOf = (stem: string) => [...new Set([stem, stem.replace(parallelEnding, '')])];
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** What has each key; null where several do. */
function only(paths: readonly string[], keys: (path: string) => readonly string[]): Map<string, string | null> {
  const found = new Map<string, string | null>();
  for (const path of paths)
    for (const key of keys(path)) found.set(key, found.has(key) && found.get(key) !== path ? null : path);
  return found;
}

/** One line about files left over, with the first few names. */
export function orphanNote(files: readonly string[], where: string): string[] {
  if (!files.length) return [];
  const shown = files.slice(0, 5).join(', ');
  return [
    `${files.length === 1 ? '1 mask has' : `${files.length} masks have`} no image${where}: ${shown}${files.length > 5 ? ', …' : ''}`,
  ];
}
