import { z } from 'zod';

export const resizeFilters = ['nearest', 'box', 'bilinear', 'hamming', 'bicubic', 'lanczos'] as const;
export type ResizeFilter = (typeof resizeFilters)[number];

export const preprocessingSets = ['imagenet', 'inception', 'clip', 'u2net', 'raw'] as const;
export type PreprocessingSet = (typeof preprocessingSets)[number];

const pixels = z.number().int().positive();
const filter = z.enum(resizeFilters).optional();
const perChannel = z.union([z.number(), z.array(z.number()).min(1).max(4)]);
const colour = z.tuple([z.number(), z.number(), z.number()]);

/** How a picture of another shape meets `width` and `height`; `cover` and `contain` keep its shape. */
export const resizeFits = ['stretch', 'cover', 'contain'] as const;
export type ResizeFit = (typeof resizeFits)[number];

/** `shortSide`: the long side follows, rounded down, as torchvision's `Resize(size)`. */
const resizeSchema = z.union([
  z.strictObject({ shortSide: pixels, filter }),
  z.strictObject({ width: pixels, height: pixels, filter, fit: z.enum(resizeFits).optional() }),
  z.null(),
]);

/** `even`: torchvision's offset, half rounded to even; `down`: Hugging Face's, rounded down. */
export const cropOffsets = ['even', 'down'] as const;
const cropSchema = z.union([
  pixels,
  z.strictObject({ width: pixels, height: pixels, offset: z.enum(cropOffsets).optional() }),
  z.null(),
]);

/** What a training script says of its work. More fields are welcome. */
const trainingNoteSchema = z.looseObject({
  architecture: z.string().optional(),
  parameters: z.number().int().positive().optional(),
  seed: z.number().int().optional(),
  epochs: z.number().positive().optional(),
  /** On data held out from the training, by its name. */
  accuracy: z.record(z.string(), z.number().min(0).max(1)).optional(),
});

/** What stands beside a model in `FILE.json`, or under `preprocessing` in the config. Every field is optional. */
export const modelRecordSchema = z.strictObject({
  /** A name for tables; else the file's. */
  name: z.string().min(1).optional(),
  task: z.enum(['classify', 'segment']).optional(),
  /** A known set, or the names of the outputs in order. */
  labels: z.union([z.string(), z.array(z.string())]).optional(),
  /** The named set whose fields hold where this record says nothing. */
  preprocessing: z.enum(preprocessingSets).optional(),
  input: z
    .strictObject({
      name: z.string().optional(),
      layout: z.enum(['NCHW', 'NHWC']).optional(),
      type: z.enum(['float32', 'float16', 'uint8']).optional(),
      channels: z.enum(['RGB', 'BGR', 'L']).optional(),
    })
    .optional(),
  /** The picture is first made square with `fill`, itself in the middle. */
  padToSquare: z.boolean().optional(),
  resize: resizeSchema.optional(),
  /** From the centre; a crop larger than the picture is filled up with `fill`. */
  crop: cropSchema.optional(),
  fill: colour.optional(),
  /** Factor on the 8-bit value; `max`: one over the largest value of the picture (U²-Net). */
  scale: z.union([z.number(), z.literal('max')]).optional(),
  mean: perChannel.optional(),
  std: perChannel.optional(),
  output: z
    .strictObject({
      name: z.string().optional(),
      /** `min-max`: a map whose least value is background and whose largest is object (U²-Net). */
      kind: z.enum(['logits', 'probabilities', 'min-max']).optional(),
    })
    .optional(),
  /** Free text, kept but not read: where the model comes from. */
  source: z.string().optional(),
  /** How the weights came about; kept but not read. */
  training: trainingNoteSchema.optional(),
});
export type ModelRecord = z.infer<typeof modelRecordSchema>;

/** Every field decided: what is really done to a picture before the model sees it. Part of a run's identity. */
export interface Preprocessing {
  readonly padToSquare: boolean;
  readonly resize:
    | { readonly shortSide: number; readonly filter: ResizeFilter }
    | { readonly width: number; readonly height: number; readonly filter: ResizeFilter; readonly fit: ResizeFit }
    | null;
  readonly crop: { readonly width: number; readonly height: number; readonly offset: 'even' | 'down' } | null;
  readonly fill: readonly [number, number, number];
  readonly scale: number | 'max';
  readonly mean: readonly number[];
  readonly std: readonly number[];
  readonly channels: 'RGB' | 'BGR' | 'L';
  readonly layout: 'NCHW' | 'NHWC';
  readonly type: 'float32' | 'float16' | 'uint8';
}
