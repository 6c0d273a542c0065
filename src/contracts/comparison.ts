import { z } from 'zod';

const interval = z.tuple([z.number(), z.number()]);

/** A paired difference, B minus A: positive, B is better. */
export const differenceSchema = z.object({
  scenario: z.string(),
  /** Samples that both have. */
  pairs: z.number().int(),
  a: z.number(),
  b: z.number(),
  difference: z.number(),
  ci: interval.nullable(),
  /** Right in B alone, and right in A alone. */
  gained: z.number().int(),
  lost: z.number().int(),
  /** Exact McNemar. */
  p: z.number(),
  /** Holm over the rows of the list. */
  pHolm: z.number(),
});
export type DifferenceRow = z.infer<typeof differenceSchema>;

export const flipSchema = z.object({
  scenario: z.string(),
  sample: z.string(),
  label: z.string(),
  change: z.enum(['gained', 'lost']),
  /** What each answered, where the source says. */
  a: z.string().nullable(),
  b: z.string().nullable(),
});
export type Flip = z.infer<typeof flipSchema>;

/** Two segmentations of the same images, B minus A. */
const segmentationDifferenceSchema = z.object({
  measure: z.enum(['iou', 'dice', 'boundaryF']),
  scenario: z.string(),
  /** `object`, or a class of the model. */
  class: z.string(),
  pairs: z.number().int(),
  a: z.number(),
  b: z.number(),
  difference: z.number(),
  ci: interval.nullable(),
  /** Paired t test over images, or groups of them. */
  p: z.number().nullable(),
  /** Holm over the rows of one measure. */
  pHolm: z.number().nullable(),
});
export type SegmentationDifference = z.infer<typeof segmentationDifferenceSchema>;

/** `compare --json` of runs that segment. */
export const segmentationComparisonSchema = z.looseObject({
  a: z.object({ source: z.string(), model: z.string() }),
  b: z.object({ source: z.string(), model: z.string() }),
  segmentation: z.array(segmentationDifferenceSchema),
});
export type SegmentationComparison = z.infer<typeof segmentationComparisonSchema>;

/** `compare --json`. */
export const comparisonSchema = z.looseObject({
  a: z.object({ source: z.string(), model: z.string() }),
  b: z.object({ source: z.string(), model: z.string() }),
  /** Mean over the shifts both have (where there is none, over all scenarios), with clusters kept together. */
  overall: z.object({
    scenarios: z.number().int(),
    difference: z.number(),
    ci: interval.nullable(),
    p: z.number().nullable(),
  }),
  scenarios: z.array(differenceSchema),
  classes: z.array(differenceSchema.extend({ class: z.string() })),
  /** The robustness scores and their difference, images resampled jointly. */
  robustness: z
    .object({ a: z.number(), b: z.number(), difference: z.number(), debiased: z.number(), ci: interval.nullable() })
    .nullable(),
  flipped: z.number().int(),
  /** At most a thousand; `--flips FILE` writes all. */
  flips: z.array(flipSchema),
  power: z.object({
    detect: z.number(),
    alpha: z.number(),
    power: z.number(),
    scenarios: z.array(
      z.object({
        scenario: z.string(),
        discordance: z.number(),
        /** Images that would show a difference of `detect`. */
        images: z.number().nullable(),
        /** The least difference these images would show. */
        detectable: z.number().nullable(),
      }),
    ),
  }),
  /** Scenarios of one side alone: not compared. */
  only: z.object({ a: z.array(z.string()), b: z.array(z.string()) }),
  notes: z.array(z.string()),
});
export type Comparison = z.infer<typeof comparisonSchema>;
