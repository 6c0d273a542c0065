import { join } from 'node:path';
import type { MaskSource, Sample } from '../../contracts/sample.ts';
import { loadSharp } from '../../image/sharp.ts';
import { imagenetIndexOf } from '../../labels/imagenet-1k.ts';
import { type DatasetPlace, defineReader, type ReaderResult, type ReadOptions } from '../define.ts';
import { isImageName, isMaskName, list, stemOf, walk } from '../files.ts';
import { arrange, isArrangedInside, separate } from '../folder-masks.ts';
import { orphanNote, pairMaskFolder } from '../pair-masks.ts';

const splits = new Set(['train', 'training', 'val', 'valid', 'validation', 'test', 'testing']);
const isSplit = (name: string) => splits.has(name.toLowerCase());

/** The first folder is the class, as torchvision's ImageFolder and Keras have it. */
export const imageFolder = defineReader({
  id: 'image-folder',
  title: 'Image folder',
  takesMasks: true,
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

async function readFolder({ path, listing }: DatasetPlace, options: ReadOptions): Promise<ReaderResult> {
  const { folders, files } = listing;
  if (
    folders.length &&
    !files.some(isImageName) &&
    folders.every(isSplit) &&
    (await isArrangedInside(join(path, folders[0])))
  )
    return readParts(path, folders, options);
  const { images: imagesAt, masks: masksAt, skip, said } = await arrange(path, listing, options);
  const folder = join(path, imagesAt);
  const all = await walk(folder, { accept: isMaskName, skipFolder: (name) => name === skip });
  const { images, beside, orphans } = await separate(all, folder);
  const masks = masksAt === undefined ? undefined : await pairMaskFolder(masksAt, images);
  const hasSplits = images.length > 0 && images.every((image) => image.includes('/') && isSplit(image.split('/')[0]));
  const samples = images.map((image): Sample => {
    const parts = image.split('/');
    const split = hasSplits ? parts.shift() : undefined;
    const label = parts.length > 1 ? parts[0] : undefined;
    const own = beside.get(stemOf(image));
    const besideIt: MaskSource | undefined = own ? { kind: 'file', path: join(folder, own) } : undefined;
    const parallel = masks?.masks.get(image);
    // What the user names on the command line comes before what was found.
    const mask = options.masks === undefined ? (besideIt ?? parallel) : (parallel ?? besideIt);
    return {
      id: imagesAt ? `${imagesAt}/${image}` : image,
      image: join(folder, image),
      ...(label !== undefined && { label }),
      ...(split && { split }),
      ...(mask && { mask }),
    };
  });
  const notes = [...(said ? [said] : []), ...orphanNote([...orphans, ...(masks?.unused ?? [])], '')];
  const nested = images.filter((image) => image.split('/').length > (hasSplits ? 3 : 2)).length;
  if (nested) notes.push(`${nested} images lie in folders inside class folders; the outermost is the class`);
  const unlabelled = samples.filter(({ label }) => label === undefined).length;
  if (unlabelled && unlabelled < samples.length)
    notes.push(`${unlabelled} images lie outside class folders and have no label`);
  return { samples: withAlpha(withTargets(samples), await cutOuts(samples, notes)), notes };
}

/** `train/images/…`, `train/masks/…`: every part is an image folder of its own. */
async function readParts(path: string, parts: readonly string[], options: ReadOptions): Promise<ReaderResult> {
  const samples: Sample[] = [];
  const notes: string[] = [];
  for (const split of parts) {
    const folder = join(path, split);
    const found = await readFolder({ path: folder, isFile: false, listing: await list(folder) }, options);
    samples.push(...found.samples.map((sample) => ({ ...sample, id: `${split}/${sample.id}`, split })));
    notes.push(...(found.notes ?? []).map((note) => `${split}: ${note}`));
  }
  return { samples, notes };
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
    const sharp = await loadSharp();
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
