import { extname } from 'node:path';
import { toFolderName } from '../contracts/folder-name.ts';
import type { Sample } from '../contracts/sample.ts';

export const renderLayouts = ['sceneshift', 'ximagenet-12', 'imagenet-e', 'imagefolder'] as const;
export type RenderLayout = (typeof renderLayouts)[number];
export const renderFormats = ['jpeg', 'png', 'webp'] as const;
export type RenderFormat = (typeof renderFormats)[number];

export interface RenderPaths {
  readonly image: string;
  readonly mask: string;
  readonly format: RenderFormat;
}

interface Place {
  readonly sample: Sample;
  /** Unique among the samples; has folders. */
  readonly stem: string;
  /** Unique among the samples of one label; has none. */
  readonly name: string;
  readonly scenario: string;
  readonly format: RenderFormat;
}

const extensions: Record<RenderFormat, string> = { jpeg: 'jpg', png: 'png', webp: 'webp' };
const labelFolder = (sample: Sample) => (sample.label ?? 'unlabelled').replaceAll(/[/\\]/g, '-');

/** Folder names of XIMAGENET-12's own data, where it has the scenario. */
const ximagenetFolders: Record<string, string> = {
  original: 'image',
  'blur-background': 'blur_background',
  'blur-object': 'blur_object',
  'tint-red': 'image_r',
  'tint-green': 'image_g',
  'tint-blue': 'image_b',
  rainbow: 'image_rainbow',
  grey: 'image_grey',
  segmented: 'Segmented_image',
  transparent: 'transparent_img',
  'random-background-additive': 'rand_background',
};

const layouts: Record<RenderLayout, (place: Place) => RenderPaths> = {
  sceneshift: ({ stem, scenario, format }) => ({
    image: `${toFolderName(scenario)}/${stem}.${extensions[format]}`,
    mask: `masks/${toFolderName(scenario)}/${stem}.png`,
    format,
  }),
  imagefolder: ({ sample, name, scenario, format }) => ({
    image: `${toFolderName(scenario)}/${labelFolder(sample)}/${name}.${extensions[format]}`,
    mask: `masks/${toFolderName(scenario)}/${labelFolder(sample)}/${name}.png`,
    format,
  }),
  'ximagenet-12': ({ sample, name, scenario, format }) => ({
    image: `${ximagenetFolders[scenario] ?? toFolderName(scenario)}/${labelFolder(sample)}/${name}.${format === 'jpeg' ? 'JPEG' : extensions[format]}`,
    mask: `${scenario === 'original' ? 'masks' : `masks_${toFolderName(scenario)}`}/${labelFolder(sample)}/${name}.png`,
    format,
  }),
  // Their unedited and full-size images are JPEG, all other edits PNG.
  'imagenet-e': ({ stem, scenario }) => {
    const format = scenario === 'original' || scenario === 'size:full' ? 'jpeg' : 'png';
    const folder = scenario === 'original' ? 'ori' : scenario === 'size:full' ? 'full' : toFolderName(scenario);
    const name = stem.replaceAll('/', '__');
    return {
      image: `${folder}/${name}.${format === 'jpeg' ? 'JPEG' : 'png'}`,
      mask: `masks/${folder}/${name}.png`,
      format,
    };
  },
};

/** Tells samples apart: a photograph and a picture made of it may share an id. */
export const keyOf = ({ id, scenario = '' }: Sample): string => `${scenario} ${id}`;

/** Where every variant of every sample goes; no two in one place, whatever the samples are called. */
export function planPaths(samples: readonly Sample[], layout: RenderLayout, format: RenderFormat) {
  const stems = uniqueNames(samples, (sample) => inside(sample.id), '');
  const names = uniqueNames(samples, (sample) => inside(sample.id).split('/').at(-1) as string, labelFolder);
  return (index: number, scenario: string, hasAlpha: boolean): RenderPaths => {
    // JPEG cannot hold transparency.
    const chosen = hasAlpha && format === 'jpeg' ? 'png' : format;
    return layouts[layout]({
      sample: samples[index],
      stem: stems[index],
      name: names[index],
      scenario,
      format: chosen,
    });
  };
}

/** Without the extension where that stays unique, else with it, else the whole path in one name. */
function uniqueNames(
  samples: readonly Sample[],
  nameOf: (sample: Sample) => string,
  within: '' | ((sample: Sample) => string),
): string[] {
  const key = (sample: Sample, name: string) => `${within ? within(sample) : ''}\u0000${name.toLowerCase()}`;
  const candidates = [
    (sample: Sample) => withoutExtension(nameOf(sample)),
    (sample: Sample) => nameOf(sample),
    (sample: Sample) => sample.id.replaceAll(/[/#:]/g, '__'),
  ];
  const counts = candidates.map((candidate) => {
    const seen = new Map<string, number>();
    for (const sample of samples) {
      const name = key(sample, candidate(sample));
      seen.set(name, (seen.get(name) ?? 0) + 1);
    }
    return seen;
  });
  return samples.map((sample, place) => {
    const free = candidates.findIndex((candidate, i) => counts[i].get(key(sample, candidate(sample))) === 1);
    return free === -1 ? `${candidates[2](sample)}~${place}` : candidates[free](sample);
  });
}

/** A path that stays below the output folder, though the id may point outside the dataset's (`../photos/a.jpg`). */
const inside = (id: string) =>
  id
    .replaceAll(/[#:]/g, '-')
    .split('/')
    .filter((part) => part && part !== '.' && part !== '..')
    .join('/');

const withoutExtension = (path: string) => path.slice(0, path.length - extname(path).length);
