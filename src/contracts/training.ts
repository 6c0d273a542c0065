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

/** A difference between two heads' accuracies over the same folds. */
export interface HeadDifference {
  readonly trained: string;
  readonly tested: string;
  /** What it is compared with. */
  readonly against: { readonly trained: string; readonly tested: string };
  readonly difference: number;
  /** Standard deviation of the difference over the folds: a spread, not a standard error. */
  readonly foldSpread: number | null;
  /** Corrected resampled t (Nadeau and Bengio, 2003). */
  readonly t: number | null;
  readonly df: number;
  readonly p: number | null;
  readonly pHolm: number | null;
  readonly ci: readonly [number, number] | null;
}

/** What a head came to where it was trained; a mixture is tested on the union of its scenarios. */
export interface HeadSummary {
  readonly trained: string;
  /** The scenarios of the training rows. */
  readonly on: readonly string[];
  readonly n: number;
  readonly accuracy: number;
  /** Standard deviation of the accuracy over the folds: a spread, not a standard error. */
  readonly foldSpread: number | null;
  readonly folds: readonly number[];
  /** The strength (scikit-learn's C) chosen in each fold. */
  readonly strengths: readonly number[];
  readonly converged: boolean;
}

/** Trained on one scenario, tested on held-out images in another. */
export interface MatrixCell {
  readonly trained: string;
  readonly tested: string;
  readonly n: number;
  readonly accuracy: number;
  readonly foldSpread: number | null;
}
