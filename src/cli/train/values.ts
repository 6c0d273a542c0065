import { renderFormats } from '../../run/render-layouts.ts';
import type { Option, Values } from '../command.ts';
import { configOption, dataOptions, sceneOptions, workOptions } from '../options.ts';
import { shareOptions } from '../shares/options.ts';

/** Options of `train`, in a file of their own: the command and each of its forms (heads, export, import) read them. */
export const options = {
  data: { type: 'string', value: 'PATH', describe: 'image folder, manifest or dataset' },
  backbone: { type: 'string', value: 'MODEL', describe: 'ONNX classifier whose last layer is trained anew' },
  layer: { type: 'string', value: 'NAME', describe: 'the value in the graph to take as features; found by itself' },
  ...sceneOptions,
  folds: { type: 'number', value: 'K', describe: 'parts of the data, each held out in turn (default 12)' },
  strength: {
    type: 'number',
    value: 'C',
    describe: "one fixed strength, scikit-learn's C, instead of choosing one on an inner split",
  },
  on: {
    type: 'string',
    value: 'LIST|mix',
    multiple: true,
    describe: 'one more head, trained on these scenarios together; mix: on all of them',
  },
  helps: {
    type: 'boolean',
    describe:
      'what helps: heads on several scenarios, and the object cropped or its background suppressed, each tested',
  },
  salient: {
    type: 'string',
    value: 'MODEL',
    describe: 'with --helps: find the object by this salient-object model too, not by the masks alone',
  },
  'write-head': { type: 'string', value: 'OUT.onnx', describe: 'write backbone and head as a new ONNX model' },
  head: { type: 'string', value: 'NAME', describe: 'the head to write (default original)' },
  export: {
    type: 'string',
    value: 'DIR',
    describe: 'write the folds as image folders with a PyTorch script, and stop',
  },
  size: { type: 'number', value: 'PX', describe: 'with --export: reduce larger images to this longer side first' },
  format: { type: 'string', choices: renderFormats, describe: 'with --export: of the images (default jpeg)' },
  quality: { type: 'number', describe: 'with --export: of JPEG and WebP, 1 to 100 (default 90)' },
  import: {
    type: 'string',
    value: 'DIR|CSV',
    describe: 'take predictions, curves and models of a training elsewhere into --out',
  },
  out: { type: 'string', value: 'RUN', describe: 'the run folder; the same command continues where it stopped' },
  limit: { type: 'number', describe: 'at most so many samples' },
  sample: { type: 'number', describe: 'so many samples of each class' },
  batch: { type: 'number', describe: 'variants in one call of the backbone' },
  offline: { type: 'boolean', describe: 'take models from the cache only' },
  ...shareOptions,
  ...dataOptions,
  ...workOptions,
  ...configOption,
} as const satisfies Record<string, Option>;

/** What `train` was called with. */
export type TrainValues = Values<typeof options>;
