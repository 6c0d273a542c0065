import { join } from 'node:path';
import type { Sample } from '../../contracts/sample.ts';
import { imagenetDMap } from '../../labels/imagenet-d.ts';
import { defineReader } from '../define.ts';
import { isImageName, list, walk } from '../files.ts';

const nuisances = ['background', 'texture', 'material'];

/** Generated pictures without photographs behind them; the nuisance is the scenario, several outputs may be right. */
export const imagenetD = defineReader({
  id: 'imagenet-d',
  title: 'ImageNet-D',
  looksLike: 'background/CATEGORY/*.png, texture/CATEGORY/…, material/CATEGORY/… (questions/*.csv beside them)',
  async detect({ path, isFile, listing }) {
    if (isFile) return 0;
    const found = present(listing.folders);
    if (found.length < 2) return 0;
    const known = (await list(join(path, found[0]))).folders.filter((name) => imagenetDMap.has(name));
    return known.length ? 0.95 : 0;
  },
  async read({ path, listing }) {
    const samples: Sample[] = [];
    const unknown = new Set<string>();
    for (const nuisance of present(listing.folders))
      for (const image of await walk(join(path, nuisance), { accept: isImageName })) {
        const [category] = image.split('/');
        const targets = imagenetDMap.get(category);
        if (!targets) unknown.add(category);
        samples.push({
          id: `${nuisance}/${image}`,
          image: join(path, nuisance, image),
          label: category,
          ...(targets && { targets: [...targets] }),
          scenario: nuisance,
        });
      }
    return {
      samples,
      notes: [...unknown].map((category) => `${category} is none of ImageNet-D's 113 categories and has no target`),
    };
  },
});

const present = (folders: readonly string[]) => nuisances.filter((name) => folders.includes(name));
