import { z } from 'zod';
import { labelMapSchema, modelConfigSchema } from './model-config.ts';
import { borderPolicies } from './sample.ts';

const fraction = z.number().min(0).max(1);
const count = z.number().int().positive();
/** An empty path would be the folder of the settings. */
const path = z.string().min(1);

/** A limit that `sceneshift check` holds a run to. */
export const gateSchema = z
  .strictObject({
    metric: z
      .enum(['sceneLoss', 'robustness', 'top1', 'top1Own', 'drop', 'iou', 'dice', 'boundaryF', 'iouDrop'])
      .describe(
        'what is measured; sceneLoss is the verdict: lost before other backgrounds beyond pasting; drop and iouDrop are original minus scenario',
      ),
    model: z.string().optional().describe('one model; all where left out'),
    scenario: z
      .string()
      .optional()
      .describe('one scenario; every shift where left out (and original, unless it is about a drop)'),
    class: z.string().optional().describe('one class of the dataset; * for each class by itself'),
    min: z.number().optional().describe('the least it may be'),
    max: z.number().optional().describe('the most it may be'),
    relative: z.boolean().default(false).describe("as a share of the model's value on original"),
    bound: z
      .enum(['estimate', 'confidence'])
      .default('estimate')
      .describe('confidence: the 95 % bound on the wrong side must hold, not the estimate alone'),
  })
  .refine((gate) => gate.min !== undefined || gate.max !== undefined, 'min or max')
  .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
    path: ['max'],
    error: 'a number that is not below min',
  })
  // A limit in percent would hold for ever.
  .refine(({ max, relative }) => relative || max === undefined || max <= 1, {
    path: ['max'],
    error: 'a share of at most 1 (5 % is 0.05)',
  })
  .describe('a limit for sceneshift check');
export type Gate = z.infer<typeof gateSchema>;

/** `sceneshift.yaml`. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  data: path.optional().describe('image folder, manifest or dataset'),
  layout: z.string().optional().describe('how the dataset is laid out; found by itself where left out'),
  masks: path.optional().describe('folder of masks parallel to the images'),
  labelFrom: z
    .string()
    .optional()
    .describe("labels from the files' names: name (Persian_12.jpg → Persian), a pattern (LABEL_*) or /^(.+)_/"),
  objects: z
    .enum(['largest', 'class', 'each'])
    .default('largest')
    .describe('of several objects in a picture: the largest, all of its class as one, or each by itself'),
  border: z.enum(borderPolicies).default('ignore').describe("what a trimap's uncertain border counts as"),
  edges: z
    .enum(['matte', 'hard'])
    .default('matte')
    .describe("a pasted object's edge where its mask is uncertain; matte: its coverage and own colour are estimated"),
  growMask: z.number().int().default(0).describe('grow (or, negative, shrink) every mask by so many pixels first'),
  editDefects: z
    .boolean()
    .default(false)
    .describe("edits change protected pixels (MVTec AD's defects) too, which they leave alone otherwise"),
  decode: z
    .enum(['pillow', 'corrected'])
    .default('pillow')
    .describe('pillow: exactly as convert("RGB"); corrected: EXIF rotation and colour profiles applied'),
  models: z.array(modelConfigSchema).default([]),
  plugins: z.array(path).default([]).describe('modules with scenarios, layouts or model kinds of your own'),
  labelMap: labelMapSchema
    .optional()
    .describe("the dataset's label to the model's output: index, name or wnid, or several; or a known map: imagenet-9"),
  scenarios: z.array(z.string()).optional().describe('scenarios and presets'),
  controls: z
    .boolean()
    .default(true)
    .describe('beside replaced backgrounds also what pasting costs by itself (paste-back); the verdict needs it'),
  backgrounds: path.optional().describe('folder of pictures to put objects onto'),
  generated: path.optional().describe('folder of generated backgrounds, named after the samples'),
  diffusion: z
    .strictObject({
      model: path.optional().describe('folder of an ONNX Stable Diffusion; the embedded model where left out'),
      scheduler: z
        .enum(['ddpm', 'ddim', 'euler', 'dpm-solver++', 'lcm'])
        .optional()
        .describe("the model's own otherwise"),
      steps: count.optional(),
      guidance: z.number().min(0).optional().describe('how closely prompts are followed; 1: no guidance'),
      surrogate: z
        .string()
        .optional()
        .describe('name of the model that adversarial backgrounds are searched against; the first where left out'),
    })
    .optional()
    .describe('what paints backgrounds'),
  out: z.string().trim().min(1).optional().describe('the run folder'),
  seed: z.number().int().default(0),
  limit: count.optional().describe('at most so many samples'),
  sample: count.optional().describe('so many samples of each class'),
  folds: z.number().int().min(2).optional().describe('stratified folds, stored with every row'),
  threads: count.optional().describe('cores to use; all where left out'),
  batch: count.optional().describe('variants in one call of a model'),
  maxErrors: fraction.default(0.1).describe('share of samples that may fail'),
  maxPixels: count.default(100_000_000).describe('larger images are refused'),
  margin: fraction
    .optional()
    .describe('loss before other backgrounds that matters to the verdict; 0.05 (five points) where left out'),
  gates: z.array(gateSchema).default([]),
});
export type Config = z.infer<typeof configSchema>;
