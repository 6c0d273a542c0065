import { z } from 'zod';

const interval = z.tuple([z.number(), z.number()]);
const loss = z.object({ estimate: z.number(), ci: interval });

/**
 * `leans`: the interval lies above 0 and the estimate beyond the margin. `does-not`: the upper end lies below the margin.
 * `not-settled`: neither, or something stands in the way (`reason`). `not-measured`: no object stood before other
 * backgrounds.
 */
export const verdictAnswers = ['leans', 'does-not', 'not-settled', 'not-measured'] as const;

/** Does a model lean on the scene? Points lost before other backgrounds beyond what pasting alone costs; fractions. */
export const verdictSchema = z.object({
  answer: z.enum(verdictAnswers),
  /** Why it is not settled, where it is not for want of images. */
  reason: z.enum(['no-paste-back', 'guessing']).nullable(),
  margin: z.number(),
  /** Beyond pasting; without `paste-back`, against the photographs as they are. */
  loss: loss.nullable(),
  /** The scenarios that put the objects before other backgrounds; their mean counts. */
  scenarios: z.array(z.string()),
  /** What pasting alone costs against the photographs as they are; null where it was not run. */
  pasting: z.number().nullable(),
  /** Images that are in both. */
  images: z.number().int(),
  /** About as many would settle it, if the loss stays what it is; null: no number would, or it is settled. */
  imagesNeeded: z.number().int().nullable(),
  /**
   * The same with the masks' uncertain border counted to the object and to the background, where the run has both, over
   * `scenarios`. `decides`: the answers differ. `apart`: the losses lie further apart than the margin.
   */
  border: z
    .object({
      object: loss,
      background: loss,
      scenarios: z.array(z.string()),
      decides: z.boolean(),
      apart: z.boolean(),
    })
    .optional(),
  words: z.string(),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** Who leans and who does not, before anybody is called best. */
export const verdictsSchema = z.object({
  margin: z.number(),
  leans: z.array(z.string()),
  doesNot: z.array(z.string()),
  notSettled: z.array(z.string()),
  notMeasured: z.array(z.string()),
  words: z.array(z.string()),
});
export type Verdicts = z.infer<typeof verdictsSchema>;

/** Reasons to doubt every other number. */
export const alarmSchema = z.object({
  kind: z.enum(['guessing', 'outside', 'trained-on-these']),
  model: z.string(),
  words: z.string(),
});
export type Alarm = z.infer<typeof alarmSchema>;
