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
  /** The mask of an image, by its path relative to the images' folder. */
  find(image: string): MaskSource | undefined;
  /** Masks that no image asked for, relative to the masks' folder. */
  unused(): string[];
  readonly size: number;
}

/**
 * A folder of masks parallel to one of images: the same path with any extension and perhaps an ending (`x_mask.png`), or,
 * where the folders are arranged differently, the same file name if no other mask has it.
 */
export async function openMaskFolder(folder: string): Promise<MaskFolder> {
  const files = await walk(folder, { accept: isMaskName });
  const byPath = new Map<string, string>();
  const byName = new Map<string, string | null>();
  for (const file of files) {
    const stem = stemOf(file);
    for (const key of new Set([stem, stem.replace(parallelEnding, '')])) {
      if (!byPath.has(key) || key === stem) byPath.set(key, file);
      const name = key.slice(key.lastIndexOf('/') + 1);
      byName.set(name, byName.has(name) && byName.get(name) !== file ? null : file);
    }
  }
  const used = new Set<string>();
  return {
    size: files.length,
    find(image) {
      const stem = stemOf(image);
      const file = byPath.get(stem) ?? byName.get(stem.slice(stem.lastIndexOf('/') + 1));
      if (!file) return undefined;
      used.add(file);
      return { kind: 'file', path: join(folder, file) };
    },
    unused: () => files.filter((file) => !used.has(file)),
  };
}

/** One line about files left over, with the first few names. */
export function orphanNote(files: readonly string[], where: string): string[] {
  if (!files.length) return [];
  const shown = files.slice(0, 5).join(', ');
  return [
    `${files.length === 1 ? '1 mask has' : `${files.length} masks have`} no image${where}: ${shown}${files.length > 5 ? ', …' : ''}`,
  ];
}
