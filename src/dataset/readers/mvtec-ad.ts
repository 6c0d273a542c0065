import { join } from 'node:path';
import type { MaskSource, Sample } from '../../contracts/sample.ts';
import { defineReader } from '../define.ts';
import { isImageName, isMaskName, list, stemOf, walk } from '../files.ts';
import { type MaskFolder, orphanNote, pairMaskFolder } from '../pair-masks.ts';

export const goodLabel = 'good';
export const defectiveLabel = 'defective';

/**
 * Labels are `good` and `defective`; the type of the defect is the sample's `kind`. A ground-truth mask marks the defect,
 * which no edit may change. It is also the sample's mask, for saliency and segmentation, unless `masks` gives the parts'.
 */
export const mvtecAd = defineReader({
  id: 'mvtec-ad',
  title: 'MVTec AD',
  takesMasks: true,
  looksLike: 'CATEGORY/train/good/, CATEGORY/test/DEFECT/000.png, CATEGORY/ground_truth/DEFECT/000_mask.png',
  async detect({ path, isFile, listing }) {
    if (isFile) return 0;
    return isCategory(listing.folders) ? 1 : (await categories(path, listing.folders)).length ? 0.95 : 0;
  },
  async read({ path, listing }, options) {
    const single = isCategory(listing.folders);
    const found = single ? [''] : await categories(path, listing.folders);
    const marked: Sample[] = [];
    const orphans: string[] = [];
    for (const category of found) await readCategory({ root: path, category, samples: marked, orphans });
    const ids = marked.map(({ id }) => id);
    const parts = options.masks === undefined ? undefined : await pairMaskFolder(options.masks, ids);
    const samples = marked.map((sample) => withMask(sample, parts ? parts.masks.get(sample.id) : sample.protect));
    return { samples, notes: [...notesFor(samples, parts), ...orphanNote(orphans, '')] };
  },
});

const withMask = (sample: Sample, mask: MaskSource | undefined): Sample => (mask ? { ...sample, mask } : sample);

const isCategory = (folders: readonly string[]) => folders.includes('test') && folders.includes('ground_truth');

async function categories(path: string, folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of folders) if (isCategory((await list(join(path, name))).folders)) found.push(name);
  return found;
}

interface Reading {
  readonly root: string;
  readonly category: string;
  readonly samples: Sample[];
  readonly orphans: string[];
}

async function readCategory({ root, category, samples, orphans }: Reading): Promise<void> {
  const prefix = category ? `${category}/` : '';
  const folder = join(root, category);
  const defects = new Map<string, string>();
  for (const file of await walk(join(folder, 'ground_truth'), { accept: isMaskName }))
    defects.set(stemOf(file).replace(/_mask$/, ''), file);
  const used = new Set<string>();
  for (const split of ['train', 'test', 'validation'])
    for (const image of await walk(join(folder, split), { accept: isImageName })) {
      const [type] = image.split('/');
      const file = type === goodLabel || split === 'train' ? undefined : defects.get(stemOf(image));
      if (file) used.add(file);
      const protect: MaskSource | undefined = file
        ? { kind: 'file', path: join(folder, 'ground_truth', file), encoding: '0/255', insist: true }
        : undefined;
      const id = `${prefix}${split}/${image}`;
      samples.push({
        id,
        image: join(folder, split, image),
        label: type === goodLabel ? goodLabel : defectiveLabel,
        kind: `${prefix}${type}`,
        split,
        ...(protect && { protect }),
      });
    }
  for (const file of defects.values()) if (!used.has(file)) orphans.push(`${prefix}ground_truth/${file}`);
}

function notesFor(samples: readonly Sample[], parts: MaskFolder | undefined): string[] {
  const counts = new Map<string, number>();
  for (const { label, kind = '' } of samples)
    if (label === defectiveLabel) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const unmarked = samples.filter(({ label, protect }) => label === defectiveLabel && !protect).length;
  const apart = samples.filter(({ mask }) => !mask).length;
  return [
    ...(counts.size ? [`defects: ${[...counts].map(([kind, count]) => `${kind} ${count}`).join(', ')}`] : []),
    parts
      ? 'masks mark the part; the defect, which has a mask of its own, is left as it is by every edit'
      : 'masks mark the defect, which every edit leaves as it is; where the part ends they do not say (--masks does)',
    ...(unmarked ? [`${unmarked} defective images have no ground-truth mask, so nothing of them is protected`] : []),
    ...(parts && apart ? [`${apart} images have no mask of the part`] : []),
  ];
}
