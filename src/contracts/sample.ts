import { z } from 'zod';

const maskEncodings = [
  '0/1',
  '0/255',
  'palette',
  'red-on-black',
  'alpha',
  'trimap',
  'polygons',
  'rle',
  'class-index',
  'imagenet-s',
] as const;
export type MaskEncoding = (typeof maskEncodings)[number];

export const borderPolicies = ['ignore', 'object', 'background'] as const;
/** What a trimap's uncertain border counts as; `ignore`: object for edits, left out of comparisons. */
export type BorderPolicy = (typeof borderPolicies)[number];

/**
 * Where a sample's mask comes from. Of a file, `encoding` is what the dataset's masks were found to be, and `values` picks
 * the pixel values that are the object (VOC instances, ImageNet-S ids).
 */
export const maskSourceSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    path: z.string(),
    encoding: z.enum(maskEncodings).optional(),
    /** The layout says so: a file that is not of this encoding is refused instead of read as what it looks like. */
    insist: z.boolean().optional(),
    /** Greys from here on are object (encoding 0/255); 128 where left out. */
    threshold: z.number().min(0).max(255).optional(),
    /** The dataset's masks were found to have a wide seam of greys between object and background. Decides no pixel. */
    soft: z.boolean().optional(),
    values: z.array(z.number().int()).optional(),
  }),
  /**
   * Polygons in image pixels, each `[x0, y0, x1, y1, …]`; several are joined. `rule`: filled to the pixel as COCO's tools
   * do (default), or as LabelMe does. `circles` are `[x, y, radius]`.
   */
  z.object({
    kind: z.literal('polygons'),
    polygons: z.array(z.array(z.number())),
    circles: z.array(z.tuple([z.number(), z.number(), z.number()])).optional(),
    rule: z.enum(['coco', 'labelme']).optional(),
    width: z.number().int(),
    height: z.number().int(),
  }),
  /** COCO run lengths, column by column, first run background; a string is COCO's compressed form. */
  z.object({
    kind: z.literal('rle'),
    counts: z.union([z.string(), z.array(z.number().int())]),
    width: z.number().int(),
    height: z.number().int(),
  }),
  /** The image's own alpha channel; `soft` as for files. */
  z.object({ kind: z.literal('alpha'), soft: z.boolean().optional() }),
]);
export type MaskSource = z.infer<typeof maskSourceSchema>;

export interface Sample {
  /** Identity of the source photograph: its path relative to the dataset, `/`-separated. Rows are paired by it. */
  id: string;
  /** Absolute path of the image. */
  image: string;
  label?: string;
  /** Accepted output indices of a model, any of which is right. */
  targets?: number[];
  split?: string;
  /** Samples of one group are not independent (one video, one product): intervals and folds keep them together. */
  group?: string;
  mask?: MaskSource;
  /** Pixels that no edit may change (a product's defect, which the label is about); they move where the picture moves. */
  protect?: MaskSource;
  /** A finer kind within the label (the type of a defect): folds spread it evenly. */
  kind?: string;
  /** Object box in pixels, `[x, y, width, height]`, where the layout gives one. */
  box?: [number, number, number, number];
  /** The scenario this image already shows (rendered or published data sets); absent: a photograph, `original`. */
  scenario?: string;
}

export interface Dataset {
  /** Folder, or file, the user named; absolute. */
  readonly path: string;
  /** Reader that read it. */
  readonly layout: string;
  readonly samples: Sample[];
  /** Labels present, sorted. */
  readonly classes: string[];
  /** Things found while reading that cost no sample. */
  readonly notes: string[];
  /** Entries that cannot be used, found while reading (a row without its image, say). */
  readonly problems: { sample: string; file: string; problem: string; message: string }[];
}
