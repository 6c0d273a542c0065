import { z } from 'zod';

const interval = z.tuple([z.number(), z.number()]).nullable();

/** The same pictures, plain and with the remedy; `difference` above zero: the remedy is better. */
const helpRowSchema = z.object({
  scenario: z.string(),
  pairs: z.number().int(),
  plain: z.number(),
  remedied: z.number(),
  difference: z.number(),
  ci: interval,
  /** Right with the remedy alone, and right without it alone. */
  gained: z.number().int(),
  lost: z.number().int(),
  /** Exact McNemar; Holm over the scenarios of one remedy. */
  p: z.number(),
  pHolm: z.number(),
});
export type RemedyRow = z.infer<typeof helpRowSchema>;

const remedyResultSchema = z.looseObject({
  remedy: z.string(),
  /** What is done, in words. */
  title: z.string(),
  /** When: the head is trained otherwise, the picture is shown otherwise, or both. */
  when: z.enum(['training', 'test', 'both']),
  scenarios: z.array(helpRowSchema),
  /** Mean over the scenarios, `original` and those without the object left out; P by images, Holm over the remedies. */
  overall: z.object({
    scenarios: z.number().int(),
    plain: z.number(),
    remedied: z.number(),
    difference: z.number(),
    ci: interval,
    p: z.number().nullable(),
    pHolm: z.number().nullable(),
  }),
  verdict: z.enum(['helps', 'hurts', 'unclear']),
});
export type RemedyResult = z.infer<typeof remedyResultSchema>;

/** `train --helps --json`, and `helps.json` in the run folder. */
export const remedyComparisonSchema = z.looseObject({
  model: z.string(),
  /** What every remedy is held against. */
  plain: z.string(),
  remedies: z.array(remedyResultSchema),
  clusters: z.object({ by: z.enum(['group', 'sample']), count: z.number().int() }),
  words: z.array(z.string()),
  notes: z.array(z.string()),
});
export type RemedyComparison = z.infer<typeof remedyComparisonSchema>;
