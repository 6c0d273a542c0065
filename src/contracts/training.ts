import { z } from 'zod';

/**
 * One point of how a head was trained: a row of `training/*.parquet`. NaN where there is nothing to measure.
 *
 * - `curve`: the head itself, after `step` iterations; its validation rows are the held-out fold, which is only looked at.
 * - `path`: the choice of the strength; the `step`-th strength tried, on the inner split of the training folds.
 */
export const trainingRowSchema = z.object({
  /** The backbone. */
  model: z.string(),
  /** The scenario, or the name of the mixture, the head was trained on. */
  trained: z.string(),
  /** The fold held out; −1: none, trained on all. */
  fold: z.number().int(),
  part: z.enum(['curve', 'path']),
  step: z.number().int(),
  /** scikit-learn's C. */
  strength: z.number(),
  lossTrain: z.number(),
  accuracyTrain: z.number(),
  lossValidation: z.number(),
  accuracyValidation: z.number(),
  /** The strength the head was trained with. */
  chosen: z.boolean(),
});
/** No two rows of a run agree in all of these. */
export const trainingKey = ['model', 'trained', 'fold', 'part', 'step'] as const;
export type TrainingRow = z.infer<typeof trainingRowSchema>;

const interval = z.tuple([z.number(), z.number()]);

/** A difference between two heads' accuracies over the same folds. */
export const headDifferenceSchema = z.object({
  trained: z.string(),
  tested: z.string(),
  /** What it is compared with. */
  against: z.object({ trained: z.string(), tested: z.string() }),
  difference: z.number(),
  /** Standard deviation of the difference over the folds: a spread, not a standard error. */
  foldSpread: z.number().nullable(),
  /** Corrected resampled t (Nadeau and Bengio, 2003). */
  t: z.number().nullable(),
  df: z.number(),
  p: z.number().nullable(),
  pHolm: z.number().nullable(),
  ci: interval.nullable(),
});
export type HeadDifference = z.infer<typeof headDifferenceSchema>;

/** What a head came to where it was trained; a mixture is tested on the union of its scenarios. */
export const headSummarySchema = z.object({
  trained: z.string(),
  /** The scenarios of the training rows. */
  on: z.array(z.string()),
  n: z.number().int(),
  accuracy: z.number(),
  /** Standard deviation of the accuracy over the folds: a spread, not a standard error. */
  foldSpread: z.number().nullable(),
  folds: z.array(z.number()),
  /** The strength (scikit-learn's C) chosen in each fold. */
  strengths: z.array(z.number()),
  converged: z.boolean(),
});
export type HeadSummary = z.infer<typeof headSummarySchema>;

/** Trained on one scenario, tested on held-out images in another. */
export const matrixCellSchema = z.object({
  trained: z.string(),
  tested: z.string(),
  n: z.number().int(),
  accuracy: z.number(),
  foldSpread: z.number().nullable(),
});
export type MatrixCell = z.infer<typeof matrixCellSchema>;
