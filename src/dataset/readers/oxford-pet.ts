import { join } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import type { Sample } from '../../contracts/sample.ts';
import { defineReader } from '../define.ts';
import { isImageName, isMaskName, type Listing, list, readText, stemOf } from '../files.ts';
import { orphanNote } from '../pair-masks.ts';

/** The class is in the file's name; trimaps: 1 object, 2 background, 3 border. Also unpacked flat, images at the top. */
export const oxfordPet = defineReader({
  id: 'oxford-pet',
  title: 'Oxford-IIIT Pet',
  looksLike:
    'images/Breed_12.jpg (or Breed_12.jpg), annotations/trimaps/Breed_12.png (list.txt, trainval.txt, test.txt)',
  async detect({ path, isFile, listing }) {
    if (isFile || !listing.folders.includes('annotations')) return 0;
    return (await arrange(path, listing)) ? 1 : 0;
  },
  async read({ path, listing }) {
    const found = await arrange(path, listing);
    if (!found) throw new UserError(`Expected images and annotations/trimaps in ${path}, as Oxford-IIIT Pet has them`);
    const { images, trimaps } = found;
    const files = (await list(join(path, images))).files.filter(isImageName);
    const masks = new Map((await list(join(path, trimaps))).files.filter(isTrimap).map((file) => [stemOf(file), file]));
    const splits = await readSplits(join(path, 'annotations'));
    const used = new Set<string>();
    const samples = files.map((image): Sample => {
      const stem = stemOf(image);
      const trimap = masks.get(stem);
      if (trimap) used.add(stem);
      return {
        id: images ? `${images}/${image}` : image,
        image: join(path, images, image),
        label: stem.replace(/_\d+$/, ''),
        ...(splits.has(stem) && { split: splits.get(stem) }),
        ...(trimap && { mask: { kind: 'file', path: join(path, trimaps, trimap), encoding: 'trimap', insist: true } }),
      };
    });
    const orphans = [...masks].filter(([stem]) => !used.has(stem)).map(([, file]) => `${trimaps}/${file}`);
    return { samples, notes: orphanNote(orphans, '') };
  },
});

const isTrimap = (name: string) => isMaskName(name) && !/\.jpe?g$/i.test(name);

/** Where the images and their trimaps are: the masks must be named after the images. */
async function arrange(path: string, { folders }: Listing): Promise<{ images: string; trimaps: string } | undefined> {
  const images = folders.includes('images') ? 'images' : '';
  const stems = new Set((await list(join(path, images))).files.filter(isImageName).map(stemOf));
  for (const trimaps of ['annotations/trimaps', 'annotations']) {
    const files = (await list(join(path, trimaps))).files.filter(isTrimap);
    if (files.some((file) => stems.has(stemOf(file)))) return { images, trimaps };
  }
  return undefined;
}

async function readSplits(folder: string): Promise<Map<string, string>> {
  const splits = new Map<string, string>();
  for (const split of ['trainval', 'test']) {
    const text = await readText(join(folder, `${split}.txt`)).catch(() => '');
    for (const line of text.split(/\r?\n/))
      if (line.trim() && !line.startsWith('#')) splits.set(line.trim().split(/\s+/)[0], split);
  }
  return splits;
}
