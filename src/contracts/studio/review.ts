import { z } from 'zod';
import { acceptRuleSchema, reviewItemSchema, reviewQuestionSchema, reviewVoteSchema } from '../review.ts';

/** A reviewer's name; one name however its accents are composed. */
export const reviewerSchema = reviewVoteSchema.shape.reviewer.transform((name) => name.normalize('NFC'));

/** A review as the list shows it: how far it is, nothing of what was said. */
export const reviewSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string(),
  pictures: z.number().int(),
  questions: z.array(reviewQuestionSchema),
  /** Votes wanted of each picture. */
  votes: z.number().int(),
  reviewers: z.array(z.object({ name: z.string(), done: z.number().int() })),
});
export type ReviewSummary = z.infer<typeof reviewSummarySchema>;

/** A picture as reviewers see it: no known answers, and no file name that could tell which are known. */
export const shownItemSchema = reviewItemSchema.pick({ id: true, label: true, facts: true });
export type ShownItem = z.infer<typeof shownItemSchema>;

/** What a reviewer has before them. */
export const reviewTurnSchema = z.object({
  /** null: nothing is left for this reviewer. */
  item: shownItemSchema.nullable(),
  /** Their own, from before. */
  answers: z.record(z.string(), z.string()),
  done: z.number().int(),
  left: z.number().int(),
  previous: z.string().nullable(),
  following: z.string().nullable(),
});
export type ReviewTurn = z.infer<typeof reviewTurnSchema>;

export const reviewAnswersSchema = z.strictObject({
  reviewer: reviewerSchema,
  item: z.string(),
  answers: z.record(z.string(), z.string()),
});

const estimateSchema = z.object({
  /** null where there are too few answers, or all are alike. */
  estimate: z.number().nullable(),
  ci: z.tuple([z.number(), z.number()]).nullable(),
});
export type AgreementShown = z.infer<typeof estimateSchema>;

export const reviewAgreementSchema = z.array(
  z.object({
    question: z.string(),
    reviewers: z.number().int(),
    items: z.number().int(),
    krippendorff: estimateSchema,
    fleiss: estimateSchema.nullable(),
    pairs: z.array(z.object({ a: z.string(), b: z.string(), items: z.number().int(), cohen: estimateSchema })),
  }),
);
export type ReviewAgreement = z.infer<typeof reviewAgreementSchema>;

export const reviewResultsSchema = z.object({
  title: z.string(),
  questions: z.array(reviewQuestionSchema),
  rule: acceptRuleSchema,
  outcomes: z.array(
    z.object({
      item: shownItemSchema,
      outcome: z.enum(['kept', 'left-out', 'open']),
      reason: z.string(),
      votes: z.record(z.string(), z.record(z.string(), z.number().int())),
      disputed: z.boolean(),
      /** Questions on which reviewers disagree and nobody has decided. */
      disputes: z.array(z.string()),
    }),
  ),
  gold: z.array(
    z.object({
      reviewer: z.string(),
      asked: z.number().int(),
      right: z.number().int(),
      ci: z.tuple([z.number(), z.number()]),
    }),
  ),
});
export type ReviewResults = z.infer<typeof reviewResultsSchema>;
