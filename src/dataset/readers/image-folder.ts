import { basename, dirname, extname, join, resolve } from 'node:path';
import sharp from 'sharp';
import { expected } from '../../contracts/errors.ts';
import { imagenetIndexOf } from '../../contracts/labels/imagenet-1k.ts';
import type { MaskSource, Sample } from '../../contracts/sample.ts';
import { defineReader, type Found, type Place, type ReadOptions } from '../define.ts';
import { exists, isImageName, isMaskName, list, stemOf, walk } from '../files.ts';
import { areMasks } from '../mask-encodings.ts';
import { besideKey, type MaskFolder, openMaskFolder, orphanNote } from '../pair-masks.ts';

const imageFolders = ['images', 'image', 'imgs', 'img', 'photos'];
const maskFolders = ['masks', 'mask', 'segmentation', 'segmentations', 'trimaps', 'mattes'];
const splits = new Set(['train', 'training', 'val', 'valid', 'validation', 'test', 'testing']);
const oneOf = (names: readonly string[], found: readonly string[]) =>
  found.find((name) => names.includes(name.toLowerCase()));

/** The first folder is the class, as torchvision's ImageFolder and Keras have it. */
export const imageFolder = defineReader({
  id: 'image-folder',
  title: 'Image folder',
  looksLike: 'CLASS/*.jpg, with masks beside (x_mask.png, x.png) or in masks/CLASS/x.png; train/CLASS/… too',
  async detect({ path, isFile }) {
    if (isFile) return 0;
    return (await hasImages(path, 4)) ? 0.3 : 0;
  },
  read: readFolder,
});

async function hasImages(folder: string, depth: number): Promise<boolean> {
  const { files, folders } = await list(folder);
  if (files.some(isImageName)) return true;
  if (depth === 0) return false;
  for (const name of folders) if (await hasImages(join(folder, name), depth - 1)) return true;
  return false;
}

async function readFolder({ path, listing }: Place, options: ReadOptions): Promise<Found> {
  const notes: string[] = [];
  const parallel = await findMaskFolder(path, listing.folders, options);
  const imagesAt = parallel?.images ?? '';
  const skipped = parallel?.skip;
  const all = await walk(join(path, imagesAt), { accept: isMaskName, skipFolder: (folder) => folder === skipped });
  const masks = parallel ? await openMaskFolder(parallel.masks) : undefined;
  if (parallel?.said) notes.push(parallel.said);

  const { images, beside, orphans } = await separate(all, join(path, imagesAt));
  const folders = new Set(images.map((image) => image.split('/')[0]));
  const hasSplits =
    images.length > 0 &&
    images.every((image) => image.includes('/')) &&
    [...folders].every((name) => splits.has(name.toLowerCase()));
  const samples = images.map((image): Sample => {
    const parts = image.split('/');
    const split = hasSplits ? parts.shift() : undefined;
    const label = parts.length > 1 ? parts[0] : undefined;
    const mask = maskOf(image, join(path, imagesAt), beside, masks);
    return {
      id: imagesAt ? `${imagesAt}/${image}` : image,
      image: join(path, imagesAt, image),
      ...(label !== undefined && { label }),
      ...(split && { split }),
      ...(mask && { mask }),
    };
  });
  notes.push(...orphanNote([...orphans, ...(masks?.unused() ?? [])], ''));
  const nested = images.filter((image) => image.split('/').length > (hasSplits ? 3 : 2)).length;
  if (nested) notes.push(`${nested} images lie in folders inside class folders; the outermost is the class`);
  const unlabelled = samples.filter(({ label }) => label === undefined).length;
  if (unlabelled && unlabelled < samples.length)
    notes.push(`${unlabelled} images lie outside class folders and have no label`);
  return { samples: withAlpha(withTargets(samples), await cutOuts(samples, notes)), notes };
}

function maskOf(
  image: string,
  folder: string,
  beside: ReadonlyMap<string, string>,
  masks: MaskFolder | undefined,
): MaskSource | undefined {
  const found = beside.get(stemOf(image));
  if (found) return { kind: 'file', path: join(folder, found) };
  return masks?.find(image);
}

interface Parallel {
  readonly masks: string;
  /** Folder of the images below the dataset; empty: the dataset itself. */
  readonly images: string;
  /** Folder to leave out of the images. */
  readonly skip?: string;
  readonly said?: string;
}

async function findMaskFolder(
  path: string,
  folders: readonly string[],
  options: ReadOptions,
): Promise<Parallel | undefined> {
  const images = oneOf(imageFolders, folders);
  const masks = oneOf(maskFolders, folders);
  if (options.masks !== undefined) {
    const folder = resolve(options.masks);
    if (!(await exists(folder))) throw expected('a folder', '--masks', options.masks);
    const inside = folders.find((name) => join(path, name) === folder);
    return { masks: folder, images: images && (folders.length === 1 || masks) ? images : '', skip: inside };
  }
  if (masks) return { masks: join(path, masks), images: images ?? '', ...(!images && { skip: masks }) };
  if (imageFolders.includes(basename(path).toLowerCase())) {
    const sibling = oneOf(maskFolders, (await list(dirname(path))).folders);
    if (sibling)
      return {
        masks: join(dirname(path), sibling),
        images: '',
        said: `masks are taken from the neighbouring folder ${sibling}`,
      };
  }
  return undefined;
}

/** Tells images from masks that lie beside them: `x_mask.png`, or `x.png` next to `x.jpg` where those look like masks. */
async function separate(files: readonly string[], folder: string) {
  const beside = new Map<string, string>();
  const orphans: string[] = [];
  const stems = new Set(files.filter((file) => besideKey(file) === undefined && isImageName(file)).map(stemOf));
  const pictures: string[] = [];
  for (const file of files) {
    const key = besideKey(file);
    if (key !== undefined && stems.has(key)) beside.set(key, file);
    // A picture that merely ends in "-mask" (a class of ImageNet) has a class folder of such pictures and no partner.
    else if (key !== undefined && beside.size + stems.size > 0 && basename(file).includes('_mask')) orphans.push(file);
    else if (isImageName(file)) pictures.push(file);
    else if (stems.has(stemOf(file))) beside.set(stemOf(file), file);
    else orphans.push(file);
  }
  const isPhoto = (file: string) => /^\.(jpe?g|jpe|jfif|webp|avif)$/i.test(extname(file));
  const photos = new Set(pictures.filter(isPhoto).map(stemOf));
  const twins = pictures.filter((file) => !isPhoto(file) && photos.has(stemOf(file)) && !beside.has(stemOf(file)));
  if (!twins.length || !(await areMasks(twins.map((file) => join(folder, file)))))
    return { images: pictures, beside, orphans };
  for (const twin of twins) beside.set(stemOf(twin), twin);
  const isTwin = new Set(twins);
  return { images: pictures.filter((file) => !isTwin.has(file)), beside, orphans };
}

/** Folders named by WordNet id say the model's output by themselves. */
function withTargets(samples: Sample[]): Sample[] {
  if (!samples.length || !samples.every(({ label }) => label !== undefined && imagenetIndexOf(label) !== undefined))
    return samples;
  return samples.map((sample) => ({ ...sample, targets: [imagenetIndexOf(sample.label as string) as number] }));
}

/** Pictures cut out of their background carry their mask as transparency. */
async function cutOuts(samples: readonly Sample[], notes: string[]): Promise<boolean> {
  if (
    !samples.length ||
    samples.some(({ mask }) => mask) ||
    !samples.every(({ image }) => /\.(png|webp|avif|tiff?)$/i.test(image))
  )
    return false;
  const step = Math.max(1, Math.floor(samples.length / 6));
  for (let i = 0; i < samples.length; i += step) {
    const { isOpaque } = await sharp(samples[i].image)
      .stats()
      .catch(() => ({ isOpaque: true }));
    if (isOpaque) return false;
  }
  notes.push('the images are transparent around the object; their alpha channel is the mask');
  return true;
}

const withAlpha = (samples: Sample[], cutOut: boolean): Sample[] =>
  cutOut ? samples.map((sample) => ({ ...sample, mask: { kind: 'alpha' } })) : samples;
