import { z } from 'zod';

/** One model's answer to one variant; a row of `predictions/*.parquet`. */
export const predictionRowSchema = z.object({
  model: z.string(),
  /** Scenario the model (its head) was trained on; empty: as delivered. */
  trained: z.string(),
  scenario: z.string(),
  sample: z.string(),
  group: z.string(),
  label: z.string(),
  /** −1: no folds. */
  fold: z.number().int(),
  /** The model's name for its answer, in the dataset's own words where the label map has one. */
  prediction: z.string(),
  /** Null here and below: not known, as of answers judged elsewhere. */
  probability: z.number().nullable(),
  probabilityTruth: z.number().nullable(),
  /** 1: the truth came first. */
  rankTruth: z.number().int().nullable(),
  /** Over all outputs of the model. */
  correct: z.boolean(),
  /** Over the outputs that belong to the dataset's own classes. */
  correctOwn: z.boolean(),
});
/** No two rows of a run agree in all of these. */
export const predictionKey = ['model', 'trained', 'scenario', 'sample', 'fold'] as const;
export type PredictionRow = z.infer<typeof predictionRowSchema>;

/** One line of `errors.jsonl`. */
export const errorLineSchema = z.object({
  sample: z.string(),
  scenario: z.string().optional(),
  model: z.string().optional(),
  file: z.string().optional(),
  problem: z.string(),
  message: z.string(),
});
export type ErrorLine = z.infer<typeof errorLineSchema>;
