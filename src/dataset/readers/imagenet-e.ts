import { join } from 'node:path';
import type { Sample } from '../../contracts/sample.ts';
import { imagenet1k } from '../../labels/imagenet-1k.ts';
import { defineReader } from '../define.ts';
import { isImageName, isMaskName, readText, stemOf, walk } from '../files.ts';

const maskFolders = ['masks', 'mask'];

/** One folder an edit, the same file names in each; labels are ImageNet-1k indices in a tab-separated list. */
export const imagenetE = defineReader({
  id: 'imagenet-e',
  title: 'ImageNet-E',
  looksLike: 'labels.txt (name, tab, index), ori/*.JPEG, full/*.JPEG and one folder for every other edit',
  detect({ isFile, listing }) {
    return !isFile && listing.files.includes('labels.txt') && listing.folders.includes('ori') ? 0.95 : 0;
  },
  async read({ path, listing }) {
    const labels = parseLabels(await readText(join(path, 'labels.txt')));
    const originals = new Map(
      (await walk(join(path, 'ori'), { accept: isImageName })).map((name) => [stemOf(name), `ori/${name}`]),
    );
    const masks = await readMasks(path, listing.folders);
    const samples: Sample[] = [];
    let unlisted = 0;
    for (const folder of listing.folders.filter((name) => !maskFolders.includes(name)))
      for (const name of await walk(join(path, folder), { accept: isImageName })) {
        const stem = stemOf(name);
        const index = labels.get(stem) ?? labels.get(stem.slice(stem.lastIndexOf('/') + 1));
        if (index === undefined) unlisted++;
        const mask = masks.get(`${folder}/${stem}`);
        const scenario = scenarioOf(folder);
        samples.push({
          id: originals.get(stem) ?? stem,
          image: join(path, folder, name),
          ...(index !== undefined && { label: imagenet1k.wnids[index] ?? String(index), targets: [index] }),
          ...(mask && { mask: { kind: 'file', path: mask } }),
          ...(scenario && { scenario }),
        });
      }
    return { samples, notes: unlisted ? [`${unlisted} images are not in labels.txt and have no label`] : [] };
  },
});

/** Only `ori` and `full` are known by name; the others keep theirs, with `@` for the colon that folders cannot hold. */
const scenarioOf = (folder: string) =>
  folder === 'ori' ? undefined : folder === 'full' ? 'size:full' : folder.replace('@', ':');

function parseLabels(text: string): Map<string, number> {
  const labels = new Map<string, number>();
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const found = /^(.*\S)\s+(\d+)\s*$/.exec(line);
    if (found) labels.set(stemOf(found[1].trim()), Number(found[2]));
  }
  return labels;
}

async function readMasks(path: string, folders: readonly string[]): Promise<Map<string, string>> {
  const masks = new Map<string, string>();
  for (const folder of folders.filter((name) => maskFolders.includes(name)))
    for (const file of await walk(join(path, folder), { accept: isMaskName })) {
      const stem = stemOf(file);
      masks.set(stem.includes('/') ? stem : `ori/${stem}`, join(path, folder, file));
    }
  return masks;
}
