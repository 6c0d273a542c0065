import { Hono } from 'hono';
import { z } from 'zod';
import type { ReviewItem } from '../contracts/review.ts';
import {
  type AgreementShown,
  type ReviewAgreement,
  type ReviewResults,
  type ReviewSummary,
  type ReviewTurn,
  reviewAnswersSchema,
  reviewerSchema,
  type ShownItem,
} from '../contracts/studio/review.ts';
import { shownLabel } from '../labels/imagenet-1k.ts';
import { outcomeCsv, outcomeJson } from '../review/export.ts';
import { agreement, goldResults, type ItemOutcome, outcomes } from '../review/outcome.ts';
import type { Review } from '../review/review.ts';
import type { AgreementEstimate } from '../stats/agreement.ts';
import { notFound } from './errors.ts';
import { createOpenReviews } from './open-reviews.ts';
import { readReviewPicture } from './review-picture.ts';
import type { KnownPlace, Workspace } from './workspace.ts';

const turnSchema = z.object({ reviewer: reviewerSchema, item: z.string().optional() });

export function reviewRoutes(workspace: Workspace): { readonly routes: Hono; close(): Promise<void> } {
  const reviews = createOpenReviews(workspace);
  const routes = new Hono()
    .get('/reviews', async (c) => {
      // A queue that cannot be read costs itself, not the list.
      const all = (await workspace.reviews()).map(async (place) =>
        summariseReview(place, await reviews.open(place.id)),
      );
      const found = await Promise.allSettled(all);
      return c.json(found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
    })
    .get('/reviews/:review', async (c) =>
      c.json(summariseReview(await workspace.review(c.req.param('review')), await reviews.open(c.req.param('review')))),
    )
    .get('/reviews/:review/turn', async (c) => {
      const { reviewer, item } = turnSchema.parse(c.req.query());
      return c.json(turnOf(await reviews.open(c.req.param('review')), reviewer, item));
    })
    .post('/reviews/:review/votes', async (c) => {
      const { reviewer, item, answers } = reviewAnswersSchema.parse(await c.req.json().catch(() => null));
      const review = await reviews.open(c.req.param('review'));
      await review.vote(reviewer, item, answers);
      return c.json({ answers: review.own(reviewer, item) });
    })
    .post('/reviews/:review/decisions', async (c) => {
      const { reviewer, item, answers } = reviewAnswersSchema.parse(await c.req.json().catch(() => null));
      const review = await reviews.open(c.req.param('review'));
      await review.vote(reviewer, item, answers, { decides: true });
      return c.json({ decided: answers });
    })
    .get('/reviews/:review/results', async (c) => c.json(resultsOf(await reviews.open(c.req.param('review')))))
    .get('/reviews/:review/agreement', async (c) => c.json(agreementOf(await reviews.open(c.req.param('review')))))
    .get('/reviews/:review/export.csv', async (c) => {
      const { queue, votes } = await reviews.open(c.req.param('review'));
      c.header('content-type', 'text/csv; charset=utf-8');
      c.header('content-disposition', 'attachment; filename="review.csv"');
      return c.body(outcomeCsv(queue, votes()));
    })
    .get('/reviews/:review/export.json', async (c) => {
      const { queue, votes } = await reviews.open(c.req.param('review'));
      c.header('content-disposition', 'attachment; filename="review.json"');
      return c.json(outcomeJson(queue, votes()));
    })
    .get('/reviews/:review/picture', async (c) => {
      const { item } = z.object({ item: z.string() }).parse(c.req.query());
      const { bytes, type } = await readReviewPicture(await reviews.open(c.req.param('review')), item);
      c.header('content-type', type);
      c.header('cache-control', 'private, max-age=600');
      return c.body(bytes);
    });
  return { routes, close: reviews.close };
}

export function summariseReview({ id, name }: KnownPlace, { queue, votes, next }: Review): ReviewSummary {
  const reviewers = [...new Set(votes().flatMap((vote) => (vote.decides ? [] : [vote.reviewer])))].sort();
  return {
    id,
    name,
    title: queue.title,
    pictures: queue.items.length,
    questions: queue.questions,
    votes: queue.rule.votes,
    reviewers: reviewers.map((reviewer) => ({ name: reviewer, done: next(reviewer).done })),
  };
}

const shown = ({ id, label, facts }: ReviewItem): ShownItem => ({ id, label: shownLabel(label), facts });

function turnOf(review: Review, reviewer: string, asked: string | undefined): ReviewTurn {
  const { item: following, done, left } = review.next(reviewer);
  const item = asked === undefined ? following : review.queue.items.find(({ id }) => id === asked);
  if (item === undefined) throw notFound(`There is no picture '${asked}' in this review`);
  return {
    item: item && shown(item),
    answers: item ? review.own(reviewer, item.id) : {},
    done,
    left,
    ...review.around(reviewer, item?.id ?? null),
  };
}

export function resultsOf({ queue, votes }: Review): ReviewResults {
  const all = votes();
  const judges = new Map<string, Record<string, string[]>>();
  for (const { item, question, reviewer } of all.filter(({ decides }) => !decides)) {
    const of = judges.get(item) ?? {};
    of[question] = [...(of[question] ?? []), reviewer];
    judges.set(item, of);
  }
  const decided = new Set(all.flatMap((vote) => (vote.decides ? [`${vote.item}\u0000${vote.question}`] : [])));
  const disputesOf = ({ item, votes: counts }: ItemOutcome) =>
    Object.keys(queue.rule.wanted).filter(
      (question) => Object.keys(counts[question] ?? {}).length > 1 && !decided.has(`${item.id}\u0000${question}`),
    );
  return {
    title: queue.title,
    questions: queue.questions,
    rule: queue.rule,
    outcomes: outcomes(queue, all).map((row) => ({
      ...row,
      item: shown(row.item),
      judgedBy: judges.get(row.item.id) ?? {},
      disputes: disputesOf(row),
    })),
    gold: goldResults(queue, all).map((row) => ({ ...row, ci: [row.ci[0], row.ci[1]] })),
  };
}

/** Coefficients that cannot be told are null: JSON has no NaN. */
const told = ({ estimate, ci }: AgreementEstimate): AgreementShown => ({
  estimate: Number.isFinite(estimate) ? estimate : null,
  ci: ci.every(Number.isFinite) ? [ci[0], ci[1]] : null,
});

export const agreementOf = ({ queue, votes }: Review): ReviewAgreement =>
  agreement(queue, votes()).map(({ krippendorff, fleiss, pairs, ...rest }) => ({
    ...rest,
    krippendorff: told(krippendorff),
    fleiss: fleiss && told(fleiss),
    pairs: pairs.map(({ cohen, ...pair }) => ({ ...pair, cohen: told(cohen) })),
  }));
