import { join } from 'node:path';
import type { Sample } from '../../contracts/sample.ts';
import { defineReader } from '../define.ts';
import { isImageName, isMaskName, list, stemOf, walk } from '../files.ts';
import { orphanNote } from '../pair-masks.ts';

/** The object is the defect: that is what the masks show. Good parts have none. */
export const mvtecAd = defineReader({
  id: 'mvtec-ad',
  title: 'MVTec AD',
  looksLike: 'CATEGORY/train/good/, CATEGORY/test/DEFECT/000.png, CATEGORY/ground_truth/DEFECT/000_mask.png',
  async detect({ path, isFile, listing }) {
    if (isFile) return 0;
    return isCategory(listing.folders) ? 1 : (await categories(path, listing.folders)).length ? 0.95 : 0;
  },
  async read({ path, listing }) {
    const single = isCategory(listing.folders);
    const found = single ? [''] : await categories(path, listing.folders);
    const samples: Sample[] = [];
    const orphans: string[] = [];
    for (const category of found) await readCategory(path, category, samples, orphans);
    const good = samples.filter(({ mask }) => !mask).length;
    return {
      samples,
      notes: [
        'masks show the defect, so the defect is the object, and the part around it is the background',
        ...(good ? [`${good} images have no mask, most of them because they have no defect`] : []),
        ...orphanNote(orphans, ''),
      ],
    };
  },
});

const isCategory = (folders: readonly string[]) => folders.includes('test') && folders.includes('ground_truth');

async function categories(path: string, folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of folders) if (isCategory((await list(join(path, name))).folders)) found.push(name);
  return found;
}

async function readCategory(root: string, category: string, samples: Sample[], orphans: string[]): Promise<void> {
  const prefix = category ? `${category}/` : '';
  const folder = join(root, category);
  const masks = new Map<string, string>();
  for (const file of await walk(join(folder, 'ground_truth'), { accept: isMaskName }))
    masks.set(stemOf(file).replace(/_mask$/, ''), file);
  const used = new Set<string>();
  for (const split of ['train', 'test', 'validation'])
    for (const image of await walk(join(folder, split), { accept: isImageName })) {
      const [defect] = image.split('/');
      const mask = split === 'train' ? undefined : masks.get(stemOf(image));
      if (mask) used.add(mask);
      samples.push({
        id: `${prefix}${split}/${image}`,
        image: join(folder, split, image),
        label: `${prefix}${defect}`,
        split,
        ...(mask && { mask: { kind: 'file', path: join(folder, 'ground_truth', mask) } }),
      });
    }
  for (const file of masks.values()) if (!used.has(file)) orphans.push(`${prefix}ground_truth/${file}`);
}
