import { schedulerIds } from '../../generate/diffusion/schedulers/index.ts';
import { usualMostChanged } from '../../generate/quality/object-kept.ts';
import type { Option, Values } from '../command.ts';
import { dataOptions, workOptions } from '../options.ts';
import { shareOptions } from '../shares/options.ts';

/** Options of `generate`, in a file of their own: the command and a worker's shares of it read them. */
export const options = {
  provider: {
    type: 'string',
    value: 'NAME',
    describe:
      "what makes the pictures: diffusion, automatic1111, comfyui, openai, stability, replicate, hugging-face, folder:DIR, command:'PROGRAM …'",
    default: 'diffusion',
  },
  prompt: { type: 'string', value: 'TEXT', multiple: true, describe: 'what is to be seen; may be given several times' },
  grid: { type: 'string', value: 'FILE', describe: "categories × nuisances: imagenet-d, or a YAML file of one's own" },
  sheet: { type: 'string', value: 'FILE', describe: 'a table of label and prompt, one prompt per class' },
  data: {
    type: 'string',
    value: 'DATA',
    describe: 'paint around the objects of these photographs; then run --generated OUT',
  },
  masks: dataOptions.masks,
  layout: dataOptions.layout,
  categories: { type: 'string', value: 'A,B', describe: 'only these of the grid' },
  kinds: { type: 'string', value: 'A,B', describe: 'only these kinds of nuisance' },
  sample: { type: 'number', value: 'N', describe: 'so many of the grid, spread evenly over classes and kinds' },
  negative: { type: 'string', value: 'TEXT', describe: 'what is not to be seen' },
  count: { type: 'number', describe: 'pictures of each prompt, with seeds one after the other', default: 1 },
  seed: { type: 'number', describe: 'seed of the first picture', default: 0 },
  plan: { type: 'boolean', describe: 'say what would be made and what it would cost, and make nothing' },
  price: { type: 'number', value: 'MONEY', describe: 'of one picture, for --plan' },
  budget: { type: 'number', value: 'N', describe: 'never pay for more pictures than this into OUT, over all calls' },
  parallel: { type: 'number', describe: 'requests at a time', default: 4 },
  'requests-per-minute': { type: 'number', value: 'N', describe: 'at most so many' },
  url: {
    type: 'string',
    value: 'URL',
    describe: "where the service listens, where it is not the provider's usual place",
  },
  'provider-model': { type: 'string', value: 'NAME', describe: "the service's model" },
  set: { type: 'string', value: 'NAME=VALUE', multiple: true, describe: "a setting of the service's own: steps=30" },
  workflow: {
    type: 'string',
    value: 'FILE',
    describe: "ComfyUI's graph in API format, {prompt} and {seed} where they go",
  },
  width: { type: 'number', value: 'PX', describe: "the model's own where left out" },
  height: { type: 'number', value: 'PX', describe: "the model's own where left out" },
  image: { type: 'string', value: 'FILE', describe: 'a picture to start from' },
  keep: { type: 'string', value: 'FILE', describe: 'mask of what is to be kept of it: white stays, black is painted' },
  strength: { type: 'number', value: 'SHARE', describe: 'how far from the picture, 0 to 1' },
  diffusion: { type: 'string', value: 'DIR', describe: 'an ONNX Stable Diffusion instead of the embedded model' },
  scheduler: { type: 'string', choices: schedulerIds, describe: "the model's own where left out" },
  steps: { type: 'number', describe: "the model's own where left out" },
  guidance: { type: 'number', describe: 'how closely the prompt is followed; 1: no guidance' },
  words: { type: 'boolean', describe: 'list the words the model knows, and make nothing' },
  clip: {
    type: 'string',
    value: 'DIR',
    describe: 'CLIP-type pair of encoders that tells how well a picture shows its prompt, for --least-clip',
  },
  'least-clip': { type: 'number', value: 'S', describe: 'drop pictures with a lower CLIP score' },
  'most-changed': {
    type: 'number',
    value: 'SHARE',
    describe: `with --data: drop pictures in which more of the object changed (default ${usualMostChanged})`,
  },
  'keep-all': { type: 'boolean', describe: 'also what is broken or nearly the same as another' },
  cache: { type: 'string', value: 'DIR', describe: 'pictures paid for before, shared by several folders' },
  out: { type: 'string', value: 'DIR', describe: 'folder to write; pictures that are there already are kept' },
  ...shareOptions,
  threads: workOptions.threads,
} as const satisfies Record<string, Option>;
export type GenerateValues = Values<typeof options>;
