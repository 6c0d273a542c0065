import { z } from 'zod';

const pixels = z.number().int().nonnegative();

/** One class of one variant: a row of `segmentation/*.parquet`. Pixels whose truth is unknown are in none of the counts. */
export const segmentationRowSchema = z.object({
  model: z.string(),
  scenario: z.string(),
  sample: z.string(),
  group: z.string(),
  /** The sample's label. */
  label: z.string(),
  /** `object`, or the class the model calls so. */
  class: z.string(),
  intersection: pixels,
  union: pixels,
  predicted: pixels,
  truth: pixels,
  /** Of all pixels, those given the right class. */
  correctPixels: pixels,
  pixels,
  /** Boundary pixels of the prediction and of the truth, and those within the tolerance of the other. */
  boundaryPredicted: pixels,
  boundaryTruth: pixels,
  boundaryPredictedMatched: pixels,
  boundaryTruthMatched: pixels,
});
/** No two rows of a run agree in all of these. */
export const segmentationKey = ['model', 'scenario', 'sample', 'class'] as const;
export type SegmentationRow = z.infer<typeof segmentationRowSchema>;
