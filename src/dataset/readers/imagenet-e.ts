import { join } from 'node:path';
import { fromFolderName } from '../../contracts/folder-name.ts';
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
    const rendered = listing.files.includes('render.json');
    const samples: Sample[] = [];
    let unlisted = 0;
    for (const folder of listing.folders.filter((name) => !maskFolders.includes(name)))
      for (const name of await walk(join(path, folder), { accept: isImageName })) {
        const stem = stemOf(name);
        const listed = labels.get(stem) ?? labels.get(stem.slice(stem.lastIndexOf('/') + 1));
        if (!listed) unlisted++;
        // `render` writes a mask of its own only where the object has moved.
        const mask = masks.get(`${folder}/${stem}`) ?? (rendered ? masks.get(`ori/${stem}`) : undefined);
        const scenario = scenarioOf(folder);
        samples.push({
          id: originals.get(stem) ?? stem,
          image: join(path, folder, name),
          ...listed,
          ...(mask && { mask: { kind: 'file', path: mask } }),
          ...(scenario && { scenario }),
        });
      }
    return { samples, notes: unlisted ? [`${unlisted} images are not in labels.txt and have no label`] : [] };
  },
});

/** Only `ori` and `full` are known by name; the others keep theirs, with `@` for the colon that folders cannot hold. */
const scenarioOf = (folder: string) =>
  folder === 'ori' ? undefined : folder === 'full' ? 'size:full' : fromFolderName(folder);

type Listed = Pick<Sample, 'label' | 'targets'>;

/** Name, tab, ImageNet-1k's index, and as `render` writes it the dataset's own label; or a label alone. */
function parseLabels(text: string): Map<string, Listed> {
  const labels = new Map<string, Listed>();
  for (const line of text.split(/\r?\n/)) {
    const spaced = /^([^\t]*[^\t\s])[\t ]+(\d+)\s*$/.exec(line);
    const [name, output = '', label = ''] = spaced ? [spaced[1], spaced[2]] : line.split('\t');
    if (!name.trim() || (!output.trim() && !label.trim())) continue;
    const index = /^\d+$/.test(output.trim()) ? Number(output) : undefined;
    const own = label.trim() || (index === undefined ? output.trim() : (imagenet1k.wnids[index] ?? String(index)));
    labels.set(stemOf(name.trim()), { label: own, ...(index !== undefined && { targets: [index] }) });
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
