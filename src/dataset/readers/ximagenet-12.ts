import { join } from 'node:path';
import { fromFolderName } from '../../contracts/folder-name.ts';
import type { Sample } from '../../contracts/sample.ts';
import { imagenetIndexOf } from '../../labels/imagenet-1k.ts';
import { ximagenet12Wnids } from '../../labels/ximagenet-12.ts';
import { defineReader, type ReaderResult } from '../define.ts';
import { isImageName, list, stemOf, walk } from '../files.ts';

/** Folder names of the published data and its scripts, and what they hold. */
const scenarioOf: Record<string, string> = {
  image: 'original',
  images: 'original',
  original: 'original',
  original_image: 'original',
  blur_background: 'blur-background',
  blur_object: 'blur-object',
  image_r: 'tint-red',
  image_g: 'tint-green',
  image_b: 'tint-blue',
  image_rainbow: 'rainbow',
  image_grey: 'grey',
  image_gray: 'grey',
  bright_background: 'bright-background',
  bright_object: 'bright-object',
  bright_foreground: 'bright-object',
  segmented_image: 'segmented',
  transparent_img: 'transparent',
  segmented_image_transparent: 'transparent',
  rand_background: 'random-background-additive',
  random_background: 'random-background-additive',
  random_background_with_real_environment: 'random-background-additive',
  generated_background: 'generated-background',
  ai_generated: 'generated-background',
  ai_generated_background: 'generated-background',
  standard_masks: 'masks',
  masks: 'masks',
  mask: 'masks',
};
const nameOf = (folder: string): string | undefined => scenarioOf[folder.toLowerCase().replaceAll(/[\s-]+/g, '_')];
const isWnid = (folder: string) => /^n\d{8}$/.test(folder);
/** The object lies elsewhere or at another scale in these, so the photograph's mask does not fit them. */
const moved = new Set(['random-background-additive', 'generated-background']);

/** Scenarios beside one another, each by class; variants are paired with their photograph by name. */
export const ximagenet12 = defineReader({
  id: 'ximagenet-12',
  title: 'XIMAGENET-12',
  looksLike:
    'image/WNID/*.JPEG, masks/WNID/*.png, blur_background/WNID/…, image_g/…, Segmented_image/… (or WNID/image/…)',
  async detect({ path, isFile, listing }) {
    if (isFile) return 0;
    if (published(listing.folders)) return 0.95;
    const [wnid] = listing.folders.filter(isWnid);
    return wnid && published((await list(join(path, wnid))).folders) ? 0.95 : 0;
  },
  async read({ path, listing }) {
    return arrange(path, await walk(path, { accept: isImageName }), listing.files.includes('render.json'));
  },
});

/** Names that other datasets have too (images, masks) do not count. */
const published = (folders: readonly string[]) =>
  folders.filter((folder) => nameOf(folder) && !/^(images?|masks?|original)$/i.test(folder)).length >= 2;

interface Picture {
  readonly file: string;
  readonly scenario: string;
  readonly label: string;
  readonly stem: string;
}

/** `rendered`: written by `render`, which keeps any label as a folder and puts masks of moved objects apart. */
function arrange(path: string, files: readonly string[], rendered: boolean): ReaderResult {
  const pictures: Picture[] = [];
  const masks = new Map<string, string>();
  const movedMasks = new Map<string, string>();
  const unknown = new Map<string, number>();
  for (const file of files) {
    const folders = file.split('/').slice(0, -1);
    const name = stemOf(file.slice(file.lastIndexOf('/') + 1));
    const apart = rendered && /^masks_(.+)$/.exec(folders[0])?.[1];
    const scenario = apart
      ? 'masks'
      : (folders.map(nameOf).find((found) => found !== undefined) ??
        (rendered && folders[0] ? fromFolderName(folders[0]) : undefined));
    const label =
      folders.find(isWnid) ?? (rendered ? folders[1] : undefined) ?? numbered(folders) ?? /^n\d{8}/.exec(name)?.[0];
    if (!scenario || !label) {
      unknown.set(folders[0] ?? '.', (unknown.get(folders[0] ?? '.') ?? 0) + 1);
      continue;
    }
    const stem = `${label}/${name}`;
    // Both kinds may be there; the standardised ones are 0 and 255.
    if (apart) movedMasks.set(`${fromFolderName(apart)} ${stem}`, file);
    else if (scenario === 'masks') {
      if (!masks.has(stem) || folders.some((folder) => /standard/i.test(folder))) masks.set(stem, file);
    } else pictures.push({ file, scenario, label, stem });
  }
  const originals = new Map(
    pictures.filter(({ scenario }) => scenario === 'original').map(({ stem, file }) => [stem, file]),
  );
  let unpaired = 0;
  const samples = pictures.map(({ file, scenario, label, stem }): Sample => {
    const original = originals.get(stem);
    if (!original) unpaired++;
    const mask = movedMasks.get(`${scenario} ${stem}`) ?? (moved.has(scenario) ? undefined : masks.get(stem));
    const index = imagenetIndexOf(label);
    return {
      id: original ?? stem,
      image: join(path, file),
      label,
      ...(index !== undefined && { targets: [index] }),
      ...(mask && { mask: { kind: 'file', path: join(path, mask) } }),
      ...(scenario !== 'original' && { scenario }),
    };
  });
  const notes = [...unknown].map(
    ([folder, count]) => `${count} files in ${folder} belong to no scenario known by name and are left out`,
  );
  if (unpaired && originals.size)
    notes.push(`${unpaired} variants have no photograph of their name in image/; they are not paired`);
  return { samples, notes };
}

/** The authors' training script has the classes renamed 0 to 11. */
const numbered = (folders: readonly string[]) => {
  const folder = folders.find((name) => /^(\d|1[01])$/.test(name));
  return folder === undefined ? undefined : ximagenet12Wnids[Number(folder)];
};
