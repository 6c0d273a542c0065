import { expected } from '../contracts/errors.ts';
import { borderPolicies } from '../contracts/sample.ts';
import { resolvePlace } from '../storage/s3-url.ts';
import type { Option } from './command.ts';

/** Options that several commands share, so that they are spelled and explained alike everywhere. */
export const dataOptions = {
  layout: { type: 'string', value: 'NAME', describe: 'how the dataset is laid out; found by itself where left out' },
  masks: { type: 'string', value: 'DIR', describe: 'folder of masks parallel to the images' },
  'label-from': {
    type: 'string',
    value: 'RULE',
    describe: "labels from the files' names: name (Persian_12.jpg → Persian), a pattern (LABEL_*) or /^(.+)_/",
  },
  objects: {
    type: 'string',
    choices: ['largest', 'class', 'each'],
    describe: 'of several objects in a picture: the largest (default), all of its class as one, or each by itself',
  },
  border: {
    type: 'string',
    choices: borderPolicies,
    describe: "what a trimap's uncertain border counts as (default ignore)",
  },
  edges: {
    type: 'string',
    choices: ['matte', 'hard'],
    describe: "a pasted object's edge where its mask is uncertain; matte (default): coverage and own colour estimated",
  },
  'grow-mask': { type: 'number', value: 'PX', describe: 'grow (or, negative, shrink) every mask first (default 0)' },
  'edit-defects': {
    type: 'boolean',
    describe: "edits change protected pixels (MVTec AD's defects) too, which they leave alone otherwise",
  },
  decode: {
    type: 'string',
    choices: ['pillow', 'corrected'],
    describe: 'pillow (default): exactly as convert("RGB"); corrected: EXIF rotation and colour profiles applied',
  },
  'max-pixels': { type: 'number', describe: 'larger images are refused (default 100000000)' },
} as const satisfies Record<string, Option>;

export const sceneOptions = {
  scenarios: { type: 'string', value: 'LIST', multiple: true, describe: 'scenarios and presets, separated by commas' },
  backgrounds: { type: 'string', value: 'DIR', describe: 'pictures to put objects onto' },
  generated: { type: 'string', value: 'DIR', describe: 'generated backgrounds, files named after the samples' },
  diffusion: {
    type: 'string',
    value: 'DIR',
    describe: 'an ONNX Stable Diffusion that paints backgrounds (default the embedded one)',
  },
  seed: { type: 'number', describe: 'seed of everything random (default 0)' },
} as const satisfies Record<string, Option>;

export const workOptions = {
  threads: { type: 'number', describe: 'cores to use (default all)' },
  'max-errors': { type: 'number', value: 'SHARE', describe: 'share of samples that may fail (default 0.1)' },
} as const satisfies Record<string, Option>;

export const configOption = {
  config: { type: 'string', value: 'FILE', describe: 'settings; sceneshift.yaml here is read by itself' },
} as const satisfies Record<string, Option>;

/** Options of these names are settings of these names; what a command lacks stays undefined, and the file's setting holds. */
export function settingsFrom(values: SharedValues): Record<string, unknown> {
  const { data, masks, layout, objects, border, decode, scenarios, backgrounds, generated } = values;
  const { out, seed, limit, sample, folds, threads, batch } = values;
  return {
    data: data && resolvePlace(data),
    masks: masks && resolvePlace(masks),
    layout,
    plugins: values.plugin?.map((file) => resolvePlace(file)),
    labelFrom: values['label-from'],
    objects,
    border,
    decode,
    edges: values.edges,
    growMask: values['grow-mask'],
    editDefects: values['edit-defects'] || undefined,
    maxPixels: values['max-pixels'],
    maxErrors: values['max-errors'],
    scenarios,
    controls: values['no-controls'] ? false : undefined,
    backgrounds: backgrounds && resolvePlace(backgrounds),
    generated: generated && resolvePlace(generated),
    diffusion: typeof values.diffusion === 'string' ? { model: resolvePlace(values.diffusion) } : undefined,
    out,
    seed,
    limit,
    sample,
    folds,
    threads,
    batch,
  };
}

interface SharedValues {
  readonly [option: string]: unknown;
  readonly data?: string;
  readonly masks?: string;
  readonly plugin?: readonly string[];
  readonly backgrounds?: string;
  readonly generated?: string;
}

/** Of JPEG and WebP. */
export function checkQuality(quality: number): void {
  if (!(Number.isInteger(quality) && quality >= 1 && quality <= 100))
    throw expected('a whole number from 1 to 100', '--quality', quality);
}
