import { z } from 'zod';
import { type AcceptRule, type ReviewItem, type ReviewQuestion, reviewVoteSchema } from '../review.ts';

/** A reviewer's name; one name however its accents are composed. */
export const reviewerSchema = reviewVoteSchema.shape.reviewer.transform((name) => name.normalize('NFC'));

/** A review as the list shows it: how far it is, nothing of what was said. */
export interface ReviewSummary {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly pictures: number;
  readonly questions: readonly ReviewQuestion[];
  /** Votes wanted of each picture. */
  readonly votes: number;
  readonly reviewers: readonly { readonly name: string; readonly done: number }[];
}

/** A picture as reviewers see it: no known answers, and no file name that could tell which are known. */
export type ShownItem = Pick<ReviewItem, 'id' | 'label' | 'facts'>;

/** What a reviewer has before them. */
export interface ReviewTurn {
  /** null: nothing is left for this reviewer. */
  readonly item: ShownItem | null;
  /** Their own, from before. */
  readonly answers: Readonly<Record<string, string>>;
  readonly done: number;
  readonly left: number;
  readonly previous: string | null;
  readonly following: string | null;
}

export const reviewAnswersSchema = z.strictObject({
  reviewer: reviewerSchema,
  item: z.string(),
  answers: z.record(z.string(), z.string()),
});

export interface AgreementShown {
  /** null where there are too few answers, or all are alike. */
  readonly estimate: number | null;
  readonly ci: readonly [number, number] | null;
}

export type ReviewAgreement = readonly {
  readonly question: string;
  readonly reviewers: number;
  readonly items: number;
  readonly krippendorff: AgreementShown;
  readonly fleiss: AgreementShown | null;
  readonly pairs: readonly {
    readonly a: string;
    readonly b: string;
    readonly items: number;
    readonly cohen: AgreementShown;
  }[];
}[];

export interface ReviewResults {
  readonly title: string;
  readonly questions: readonly ReviewQuestion[];
  readonly rule: AcceptRule;
  readonly outcomes: readonly {
    readonly item: ShownItem;
    readonly outcome: 'kept' | 'left-out' | 'open';
    readonly reason: string;
    readonly votes: Readonly<Record<string, Readonly<Record<string, number>>>>;
    readonly disputed: boolean;
    /** Who answered each question. */
    readonly judgedBy: Readonly<Record<string, readonly string[]>>;
    /** Questions on which reviewers disagree and nobody has decided. */
    readonly disputes: readonly string[];
  }[];
  readonly gold: readonly {
    readonly reviewer: string;
    readonly asked: number;
    readonly right: number;
    readonly ci: readonly [number, number];
  }[];
}
