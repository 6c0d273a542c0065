import type { ReviewItem, ReviewQueue, ReviewVote } from '../contracts/review.ts';
import {
  type AgreementEstimate,
  agreementWithInterval,
  cohenKappa,
  fleissKappa,
  krippendorffAlpha,
  type Ratings,
} from '../stats/agreement.ts';
import { type Interval, wilson } from '../stats/proportion.ts';
import { randomFor } from '../stats/random.ts';

/** What became of one picture, and why. */
export interface ItemOutcome {
  readonly item: ReviewItem;
  readonly outcome: 'kept' | 'left-out' | 'open';
  readonly reason: string;
  /** Question → answer → votes. */
  readonly votes: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Reviewers disagree on a question the rule asks about and nobody has decided. */
  readonly disputed: boolean;
}

/** The rule applied to every picture that is not gold. A last word takes the place of the count. */
export function outcomes({ items, questions, rule }: ReviewQueue, votes: readonly ReviewVote[]): ItemOutcome[] {
  const byItem = new Map<string, ReviewVote[]>();
  for (const vote of votes) byItem.set(vote.item, [...(byItem.get(vote.item) ?? []), vote]);
  return items
    .filter(({ gold }) => !gold)
    .map((item) => {
      const own = byItem.get(item.id) ?? [];
      const counts = Object.fromEntries(
        questions.map(({ id }) => {
          const count: Record<string, number> = {};
          for (const { answer } of own.filter((vote) => vote.question === id && !vote.decides))
            count[answer] = (count[answer] ?? 0) + 1;
          return [id, count];
        }),
      );
      return { item, votes: counts, ...judge(rule, counts, own) };
    });
}

function judge(
  { wanted, atLeast, votes: needed }: ReviewQueue['rule'],
  counts: ItemOutcome['votes'],
  own: readonly ReviewVote[],
): Pick<ItemOutcome, 'outcome' | 'reason' | 'disputed'> {
  const against: string[] = [];
  const waiting: string[] = [];
  const lastWords: string[] = [];
  let disputed = false;
  for (const [question, answer] of Object.entries(wanted)) {
    const decided = own.findLast((vote) => vote.decides && vote.question === question);
    const count = counts[question] ?? {};
    const total = Object.values(count).reduce((sum, n) => sum + n, 0);
    const speaking = count[answer] ?? 0;
    if (decided) {
      (decided.answer === answer ? lastWords : against).push(
        `${question}: ${decided.reviewer} decided ${decided.answer}`,
      );
      continue;
    }
    if (Object.keys(count).length > 1) disputed = true;
    if (speaking >= atLeast) continue;
    // Too few are left to reach the rule: no need to wait for the others.
    if (speaking + Math.max(0, needed - total) < atLeast)
      against.push(`${question}: ${speaking} of ${total} said ${answer}, ${atLeast} needed`);
    else waiting.push(`${question}: ${total} of ${needed} votes`);
  }
  if (against.length) return { outcome: 'left-out', reason: against.join('; '), disputed };
  if (waiting.length) return { outcome: 'open', reason: waiting.join('; '), disputed };
  const counted = lastWords.length < Object.keys(wanted).length ? [`at least ${atLeast} said so`] : [];
  return { outcome: 'kept', reason: [...counted, ...lastWords].join('; '), disputed };
}

export interface QuestionAgreement {
  readonly question: string;
  readonly reviewers: number;
  /** Pictures with at least two answers. */
  readonly items: number;
  readonly krippendorff: AgreementEstimate;
  /** Where every picture has the same number of answers. */
  readonly fleiss: AgreementEstimate | null;
  readonly pairs: readonly {
    readonly a: string;
    readonly b: string;
    readonly items: number;
    readonly cohen: AgreementEstimate;
  }[];
}

/** How far the reviewers agree, question by question; gold pictures count like any other. */
export function agreement({ items, questions, seed }: ReviewQueue, votes: readonly ReviewVote[]): QuestionAgreement[] {
  const counted = votes.filter(({ decides }) => !decides);
  const reviewers = [...new Set(counted.map(({ reviewer }) => reviewer))].sort();
  return questions.map(({ id: question }) => {
    const answer = new Map(
      counted
        .filter((vote) => vote.question === question)
        .map((vote) => [`${vote.item}\u0000${vote.reviewer}`, vote.answer]),
    );
    const ratings: Ratings = items
      .map(({ id }) => reviewers.map((reviewer) => answer.get(`${id}\u0000${reviewer}`) ?? null))
      .filter((row) => row.filter((value) => value !== null).length >= 2);
    const random = () => randomFor('agreement', seed, question);
    const fleiss = agreementWithInterval(ratings, fleissKappa, { random: random() });
    const pairs = reviewers.flatMap((a, i) =>
      reviewers.slice(i + 1).map((b, k) => {
        const both = ratings.filter((row) => row[i] !== null && row[i + 1 + k] !== null);
        return {
          a,
          b,
          items: both.length,
          cohen: agreementWithInterval(both, cohenKappa(i, i + 1 + k), { random: random() }),
        };
      }),
    );
    return {
      question,
      reviewers: reviewers.length,
      items: ratings.length,
      krippendorff: agreementWithInterval(ratings, krippendorffAlpha, { random: random() }),
      fleiss: Number.isNaN(fleiss.estimate) ? null : fleiss,
      pairs,
    };
  });
}

export interface GoldResult {
  readonly reviewer: string;
  readonly asked: number;
  readonly right: number;
  readonly ci: Interval;
}

/** How each reviewer did on the pictures whose answers are known. */
export function goldResults({ items }: ReviewQueue, votes: readonly ReviewVote[]): GoldResult[] {
  const gold = new Map(items.flatMap((item) => (item.gold ? [[item.id, item.gold] as const] : [])));
  const results = new Map<string, { asked: number; right: number }>();
  for (const { reviewer, item, question, answer, decides } of votes) {
    const known = gold.get(item)?.[question];
    if (known === undefined || decides) continue;
    const result = results.get(reviewer) ?? { asked: 0, right: 0 };
    result.asked++;
    if (answer === known) result.right++;
    results.set(reviewer, result);
  }
  return [...results]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([reviewer, { asked, right }]) => ({ reviewer, asked, right, ci: wilson(right, asked) }));
}
