import { join } from 'node:path';
import type { Sample } from '../../contracts/sample.ts';
import { imagenetIndexOf } from '../../labels/imagenet-1k.ts';
import { defineReader } from '../define.ts';
import { isImageName, isMaskName, list, stemOf, walk } from '../files.ts';
import { readRawMask } from '../masks/raw.ts';
import { orphanNote } from '../pair-masks.ts';

const ending = '-segmentation';
/** Whole sets number their classes from 1 in the order of the wnids (README of LUSSeg/ImageNet-S). */
const wholeSets = [50, 300, 919];

/** Masks hold class numbers, red + 256 · green; 1000 is unknown, 0 any other thing. */
export const imagenetS = defineReader({
  id: 'imagenet-s',
  title: 'ImageNet-S',
  looksLike: 'validation/WNID/*.JPEG with validation-segmentation/WNID/*.png (or ImageNetS919/…, train-semi too)',
  async detect({ path, isFile, listing }) {
    if (isFile) return 0;
    return parts(listing.folders).length ? 1 : (await nested(path, listing.folders)) ? 0.95 : 0;
  },
  async read({ path, listing }) {
    const below = parts(listing.folders).length ? '' : ((await nested(path, listing.folders)) ?? '');
    const root = join(path, below);
    const samples: Sample[] = [];
    const notes: string[] = [];
    for (const part of parts((await list(root)).folders)) {
      const masks = await masksOf(join(root, part + ending));
      const numbers = await classNumbers(masks, notes);
      const used = new Set<string>();
      for (const image of await walk(join(root, part), { accept: isImageName })) {
        const [wnid] = image.split('/');
        const mask = masks.get(stemOf(image));
        if (mask) used.add(mask);
        const index = imagenetIndexOf(wnid);
        const number = numbers.get(wnid);
        samples.push({
          id: `${below ? `${below}/` : ''}${part}/${image}`,
          image: join(root, part, image),
          label: wnid,
          split: part,
          ...(index !== undefined && { targets: [index] }),
          ...(mask && {
            mask: {
              kind: 'file',
              path: mask,
              encoding: 'imagenet-s',
              insist: true,
              ...(number && { values: [number] }),
            },
          }),
        });
      }
      notes.push(
        ...orphanNote(
          [...masks.values()].filter((mask) => !used.has(mask)),
          ` in ${part}`,
        ),
      );
    }
    return { samples, notes };
  },
});

const parts = (folders: readonly string[]) =>
  folders
    .filter((name) => name.endsWith(ending) && folders.includes(name.slice(0, -ending.length)))
    .map((name) => name.slice(0, -ending.length));

async function nested(path: string, folders: readonly string[]): Promise<string | undefined> {
  for (const name of folders)
    if (/imagenet-?s/i.test(name) && parts((await list(join(path, name))).folders).length) return name;
  return undefined;
}

async function masksOf(folder: string): Promise<Map<string, string>> {
  const files = await walk(folder, { accept: isMaskName });
  return new Map(files.map((file) => [stemOf(file), join(folder, file)]));
}

/** Class number of each wnid: from the order of a whole set, else the number that most masks of the class share. */
async function classNumbers(masks: ReadonlyMap<string, string>, notes: string[]): Promise<Map<string, number>> {
  const byClass = new Map<string, string[]>();
  for (const [stem, file] of masks) {
    const wnid = stem.split('/')[0];
    byClass.set(wnid, [...(byClass.get(wnid) ?? []), file]);
  }
  const wnids = [...byClass.keys()].sort();
  if (wholeSets.includes(wnids.length)) return new Map(wnids.map((wnid, i) => [wnid, i + 1]));
  notes.push(`a part of ImageNet-S (${wnids.length} classes): class numbers are taken from the masks themselves`);
  const numbers = new Map<string, number>();
  for (const [wnid, files] of byClass) {
    const number = await commonNumber(files.slice(0, 5));
    if (number) numbers.set(wnid, number);
  }
  return numbers;
}

async function commonNumber(files: readonly string[]): Promise<number | undefined> {
  const pixels = new Map<number, number>();
  const present = new Map<number, number>();
  for (const file of files) {
    const raw = await readRawMask(file).catch(() => undefined);
    if (!raw) continue;
    const here = new Set<number>();
    for (const value of raw.values) {
      const id = raw.kind === 'colour' ? (value >> 16) | (value & 0xff00) : value;
      if (id === 0 || id === 1000) continue;
      here.add(id);
      pixels.set(id, (pixels.get(id) ?? 0) + 1);
    }
    for (const id of here) present.set(id, (present.get(id) ?? 0) + 1);
  }
  const ranked = [...present].sort((a, b) => b[1] - a[1] || (pixels.get(b[0]) ?? 0) - (pixels.get(a[0]) ?? 0));
  return ranked[0]?.[0];
}
