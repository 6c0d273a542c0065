import { z } from 'zod';

const interval = z.tuple([z.number(), z.number()]).nullable();
const level = z.object({ value: z.number(), ci: interval });

export const rankMeasures = ['accuracy', 'balanced', 'auroc'] as const;
/** `balanced`: mean of the classes' accuracies; `auroc`: area under the ROC curve, of two classes. */
export type RankMeasure = (typeof rankMeasures)[number];

const rankedModelSchema = z.looseObject({
  model: z.string(),
  rank: z.number().int(),
  /** On the images as they are; null where the run has no `original`. */
  clean: level.nullable(),
  /** Mean over the shifts, each of which is the mean over its scenarios. */
  shifted: level,
  /** Clean minus shifted. */
  drop: z.number().nullable(),
  shifts: z.array(level.extend({ shift: z.string() })),
  worst: level.extend({ shift: z.string() }),
  /** Share of the resamples of images in which it comes first. */
  best: z.number(),
  /** How far the first is ahead of it; null for the first itself. P by clusters, Holm over all pairs of models. */
  behind: z.object({ difference: z.number(), ci: interval, p: z.number(), pHolm: z.number() }).nullable(),
  /** Cannot be told from the first. */
  contender: z.boolean(),
});
export type RankedModel = z.infer<typeof rankedModelSchema>;

/** `rank` in `score --rank --json`: candidate models by how they do under the shifts that count. */
export const rankSchema = z.looseObject({
  by: z.enum(rankMeasures),
  shifts: z.array(z.object({ shift: z.string(), scenarios: z.array(z.string()) })),
  models: z.array(rankedModelSchema),
  clusters: z.object({ by: z.enum(['group', 'sample']), count: z.number().int() }),
  replicates: z.number().int(),
  words: z.string(),
  notes: z.array(z.string()),
});
export type Rank = z.infer<typeof rankSchema>;
