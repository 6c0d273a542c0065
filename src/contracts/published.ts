import { z } from 'zod';

/** What an answer to a two-choice question names (ImageNet-D's TRUE, FALSE, DOUBLE and TODO). */
export const namedChoices = ['truth', 'distractor', 'both', 'neither'] as const;
export type NamedChoice = (typeof namedChoices)[number];

/**
 * What a paper's own scorer counts otherwise than a prediction row does; a row of `published/*.parquet`. Written only
 * where the two can differ: several outputs are accepted, or the question had two choices.
 */
export const publishedRowSchema = z.object({
  model: z.string(),
  scenario: z.string(),
  sample: z.string(),
  label: z.string(),
  /** −1: no folds. */
  fold: z.number().int(),
  /** Accepted outputs among the first five; ImageNet-D adds a hit for each. Null: the answer ranks nothing. */
  acceptedInFive: z.number().int().nullable(),
  /** What was named when the truth stood first, as ImageNet-D asks. Null: no such question. */
  named: z.enum(namedChoices).nullable(),
});
export const publishedKey = ['model', 'scenario', 'sample', 'fold'] as const;
export type PublishedRow = z.infer<typeof publishedRowSchema>;
