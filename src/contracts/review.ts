import { z } from 'zod';

/** One thing a reviewer is asked about every picture. */
export const reviewQuestionSchema = z.object({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  text: z.string().min(1),
  /** One key of the keyboard each, in the order they are shown. */
  answers: z
    .array(z.object({ value: z.string().min(1), text: z.string().min(1), key: z.string().length(1) }))
    .min(2)
    .max(9),
});
export type ReviewQuestion = z.infer<typeof reviewQuestionSchema>;

/** A picture to be judged. `gold`: answers that are known, to see how each reviewer does; never shown. */
export const reviewItemSchema = z.object({
  id: z.string().min(1),
  image: z.string().min(1),
  label: z.string(),
  gold: z.record(z.string(), z.string()).optional(),
  /** Shown beside the picture: scenario, prompt, what the models said. */
  facts: z.record(z.string(), z.string()).optional(),
});
export type ReviewItem = z.infer<typeof reviewItemSchema>;

/** What is kept: enough reviewers gave the wanted answer to every question named here. */
export const acceptRuleSchema = z.object({
  /** Question → the answer that speaks for keeping. */
  wanted: z.record(z.string(), z.string()),
  /** Votes for the wanted answer. */
  atLeast: z.number().int().positive().default(2),
  /** Answers wanted of each picture, by different reviewers. */
  votes: z.number().int().positive().default(3),
});
export type AcceptRule = z.infer<typeof acceptRuleSchema>;

/** `queue.json` of a review folder; fixed once the first vote is in. */
export const reviewQueueSchema = z.object({
  version: z.literal(1),
  title: z.string(),
  questions: z.array(reviewQuestionSchema).min(1),
  items: z.array(reviewItemSchema).min(1),
  rule: acceptRuleSchema,
  seed: z.number().int().default(0),
});
export type ReviewQueue = z.infer<typeof reviewQueueSchema>;

/** One line of `votes.jsonl`. A later line of the same reviewer, picture and question takes the place of an earlier one. */
export const reviewVoteSchema = z.object({
  reviewer: z.string().trim().min(1).max(80),
  item: z.string(),
  question: z.string(),
  answer: z.string(),
  time: z.string(),
  /** The last word where reviewers disagree; not counted as a vote, nor in the agreement. */
  decides: z.boolean().optional(),
});
export type ReviewVote = z.infer<typeof reviewVoteSchema>;

/** The questions people ask of generated pictures (ImageNet-D's quality control, in our words). */
export const defaultReviewQuestions: readonly ReviewQuestion[] = [
  yesNo('object', 'Is the object there?'),
  yesNo('only', 'Is it the only main object?'),
  yesNo('label', 'Is the label right?'),
  yesNo('real', 'Does it look real?'),
];

function yesNo(id: string, text: string): ReviewQuestion {
  return {
    id,
    text,
    answers: [
      { value: 'yes', text: 'Yes', key: 'y' },
      { value: 'no', text: 'No', key: 'n' },
      { value: 'unsure', text: 'Cannot tell', key: 'u' },
    ],
  };
}
