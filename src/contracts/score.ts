import { z } from 'zod';

const interval = z.tuple([z.number(), z.number()]);

/** `score --json`; fixed, more fields may be added. Accuracies and drops are fractions. */
export const scenarioScoreSchema = z.looseObject({
  scenario: z.string(),
  n: z.number().int(),
  /** Over all outputs of the model. */
  top1: z.number(),
  /** Over the dataset's own classes; null where the source does not say. */
  top1Own: z.number().nullable(),
  ci: interval.nullable(),
  /** original − scenario over the same samples; positive is worse. */
  drop: z.number().nullable(),
  dropCi: interval.nullable(),
  /** Exact McNemar against `original`. */
  p: z.number().nullable(),
  /** Holm over the scenarios of one model. */
  pHolm: z.number().nullable(),
});

export const robustnessSchema = z.looseObject({
  score: z.number(),
  cross: z.number(),
  inner: z.number().nullable(),
  ci: interval.nullable(),
  debiased: z.number().nullable(),
});

export const scoreSchema = z.looseObject({
  models: z.array(
    z.looseObject({
      model: z.string(),
      scenarios: z.array(scenarioScoreSchema),
      robustness: robustnessSchema.nullable(),
      meanDrop: z.number().nullable(),
    }),
  ),
});
export type Score = z.infer<typeof scoreSchema>;
