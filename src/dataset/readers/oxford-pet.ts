import { join } from 'node:path';
import type { Sample } from '../../contracts/sample.ts';
import { defineReader } from '../define.ts';
import { isImageName, isMaskName, list, readText, stemOf } from '../files.ts';
import { orphanNote } from '../pair-masks.ts';

/** The class is in the file's name; trimaps: 1 object, 2 background, 3 border. */
export const oxfordPet = defineReader({
  id: 'oxford-pet',
  title: 'Oxford-IIIT Pet',
  looksLike: 'images/Breed_12.jpg, annotations/trimaps/Breed_12.png (list.txt, trainval.txt, test.txt)',
  async detect({ path, isFile, listing }) {
    if (isFile || !listing.folders.includes('images') || !listing.folders.includes('annotations')) return 0;
    return (await list(join(path, 'annotations'))).folders.includes('trimaps') ? 1 : 0;
  },
  async read({ path }) {
    const images = (await list(join(path, 'images'))).files.filter(isImageName);
    const trimaps = new Map(
      (await list(join(path, 'annotations', 'trimaps'))).files.filter(isMaskName).map((file) => [stemOf(file), file]),
    );
    const splits = await readSplits(join(path, 'annotations'));
    const used = new Set<string>();
    const samples = images.map((image): Sample => {
      const stem = stemOf(image);
      const trimap = trimaps.get(stem);
      if (trimap) used.add(stem);
      return {
        id: `images/${image}`,
        image: join(path, 'images', image),
        label: stem.replace(/_\d+$/, ''),
        ...(splits.has(stem) && { split: splits.get(stem) }),
        ...(trimap && {
          mask: { kind: 'file', path: join(path, 'annotations', 'trimaps', trimap), encoding: 'trimap' },
        }),
      };
    });
    const orphans = [...trimaps].filter(([stem]) => !used.has(stem)).map(([, file]) => `annotations/trimaps/${file}`);
    return { samples, notes: orphanNote(orphans, '') };
  },
});

async function readSplits(folder: string): Promise<Map<string, string>> {
  const splits = new Map<string, string>();
  for (const split of ['trainval', 'test']) {
    const text = await readText(join(folder, `${split}.txt`)).catch(() => '');
    for (const line of text.split(/\r?\n/))
      if (line.trim() && !line.startsWith('#')) splits.set(line.trim().split(/\s+/)[0], split);
  }
  return splits;
}
