import { basename, dirname, extname, join, resolve } from 'node:path';
import { expected } from '../contracts/errors.ts';
import type { ReadOptions } from './define.ts';
import { exists, isImageName, isMaskName, type Listing, list, stemOf, walk } from './files.ts';
import { areMasks } from './mask-encodings.ts';
import { besideKey } from './pair-masks.ts';

const imageFolders = ['images', 'image', 'imgs', 'img', 'photos'];
const maskFolders = ['masks', 'mask', 'segmentation', 'segmentations', 'trimaps', 'mattes'];
const oneOf = (names: readonly string[], found: readonly string[]) =>
  found.find((name) => names.includes(name.toLowerCase()));

export interface Arrangement {
  /** Folder of the images below the dataset; empty: the dataset itself. */
  readonly images: string;
  /** Folder of the masks, absolute, where they have one. */
  readonly masks?: string;
  /** Folder below that of the images which holds no images. */
  readonly skip?: string;
  readonly said?: string;
}

/** Where images and masks lie: `images/` and `masks/`, `masks/` beside the classes, masks next door, or as the user says. */
export async function arrange(path: string, { folders, files }: Listing, options: ReadOptions): Promise<Arrangement> {
  const found = oneOf(maskFolders, folders);
  // A class may be called mask; a folder of photographs is none of masks.
  const masks = found !== undefined && (await holdsMasks(join(path, found))) ? found : undefined;
  const others = folders.filter((name) => name !== masks);
  const images = others.length === 1 && !files.some(isImageName) ? oneOf(imageFolders, others) : undefined;
  const imagesOrAll = images ?? (masks ? (oneOf(imageFolders, folders) ?? '') : '');
  if (options.masks !== undefined) {
    const folder = resolve(options.masks);
    if (!(await exists(folder))) throw expected('a folder', '--masks', options.masks);
    const inside = folders.find((name) => join(path, name) === folder);
    return { images: imagesOrAll, masks: folder, ...(!imagesOrAll && inside && { skip: inside }) };
  }
  if (masks) return { images: imagesOrAll, masks: join(path, masks), ...(!imagesOrAll && { skip: masks }) };
  const sibling = imageFolders.includes(basename(path).toLowerCase())
    ? oneOf(maskFolders, (await list(dirname(path))).folders)
    : undefined;
  if (!sibling) return { images: imagesOrAll };
  const said = `masks are taken from the neighbouring folder ${sibling}`;
  return { images: imagesOrAll, masks: join(dirname(path), sibling), said };
}

/** Whether each part of a dataset keeps its own images and masks: `train/images`, `train/masks`. */
export async function isArrangedInside(folder: string): Promise<boolean> {
  const { folders } = await list(folder);
  return oneOf(imageFolders, folders) !== undefined && oneOf(maskFolders, folders) !== undefined;
}

async function holdsMasks(folder: string): Promise<boolean> {
  const files = await walk(folder, { accept: isMaskName });
  const looked = files.filter((_, i) => i % Math.ceil(files.length / 8) === 0);
  return files.length > 0 && (await areMasks(looked.map((file) => join(folder, file))));
}

export interface Separated {
  readonly images: string[];
  /** Masks beside their images, by the image's path without extension. */
  readonly beside: ReadonlyMap<string, string>;
  /** Masks whose image is not there. */
  readonly orphans: string[];
}

/** Tells images from masks that lie beside them: `x_mask.png`, or `x.png` next to `x.jpg` where those look like masks. */
export async function separate(files: readonly string[], folder: string): Promise<Separated> {
  const beside = new Map<string, string>();
  const orphans: string[] = [];
  const pictures: string[] = [];
  const lonely: string[] = [];
  const stems = new Set(files.filter((file) => besideKey(file) === undefined && isImageName(file)).map(stemOf));
  for (const file of files) {
    const key = besideKey(file);
    if (key !== undefined && stems.has(key)) beside.set(key, file);
    else if (key !== undefined && isImageName(file)) lonely.push(file);
    else if (isImageName(file)) pictures.push(file);
    else if (stems.has(stemOf(file))) beside.set(stemOf(file), file);
    else orphans.push(file);
  }
  const paths = (list: readonly string[]) => list.map((file) => join(folder, file));
  // `gas_mask.jpg` may be a photograph of one.
  if (lonely.length) (await areMasks(paths(lonely))) ? orphans.push(...lonely) : pictures.push(...lonely);

  const isPhoto = (file: string) => /^\.(jpe?g|jpe|jfif|webp|avif)$/i.test(extname(file));
  const photos = new Set(pictures.filter(isPhoto).map(stemOf));
  const twins = pictures.filter((file) => !isPhoto(file) && photos.has(stemOf(file)) && !beside.has(stemOf(file)));
  const twinsAreMasks = twins.length > 0 && (await areMasks(paths(twins)));
  if (twinsAreMasks) for (const twin of twins) beside.set(stemOf(twin), twin);
  const isTwin = new Set(twinsAreMasks ? twins : []);
  const images = pictures.filter((file) => !isTwin.has(file));
  return { images: images.sort((a, b) => (a < b ? -1 : 1)), beside, orphans };
}
