import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { defaultReviewQuestions, type ReviewQueue } from '../contracts/review.ts';
import { agreement, goldResults, outcomes } from './outcome.ts';
import { createReview, openReview } from './review.ts';

const folders: string[] = [];
async function folder() {
  const made = await mkdtemp(join(tmpdir(), 'sceneshift-review-'));
  folders.push(made);
  return made;
}
afterEach(async () => {
  for (const made of folders.splice(0)) await rm(made, { recursive: true, force: true });
});

const queue: ReviewQueue = {
  version: 1,
  title: 'hard images',
  questions: defaultReviewQuestions.slice(0, 2),
  items: [
    ...Array.from({ length: 10 }, (_, i) => ({ id: `p${i}`, image: `p${i}.png`, label: 'mug' })),
    { id: 'gold', image: 'gold.png', label: 'mug', gold: { object: 'yes', only: 'no' } },
  ],
  rule: { wanted: { object: 'yes', only: 'yes' }, atLeast: 2, votes: 3 },
  seed: 1,
};
const yes = { object: 'yes', only: 'yes' };

async function reviewed() {
  const at = await folder();
  await createReview(at, queue);
  return { at, review: await openReview(at) };
}

describe('a review', () => {
  it('is on disk when it says so, and is found again', async () => {
    const { at, review } = await reviewed();
    await review.vote('Ada', 'p0', yes);
    expect(await readFile(join(at, 'votes.jsonl'), 'utf8')).toContain('"reviewer":"Ada"');
    await review.close();
    const again = await openReview(at);
    expect(again.own('Ada', 'p0')).toEqual(yes);
    await again.close();
  });

  it('a vote given twice counts once, the last one', async () => {
    const { review } = await reviewed();
    await review.vote('Ada', 'p0', yes);
    await review.vote('Ada', 'p0', { object: 'no' });
    expect(review.votes()).toHaveLength(2);
    expect(review.own('Ada', 'p0')).toEqual({ object: 'no', only: 'yes' });
    await review.close();
  });

  it('a line cut by a kill is taken off, and the next vote stands on a line of its own', async () => {
    const { at, review } = await reviewed();
    await review.vote('Ada', 'p0', yes);
    await review.close();
    await appendFile(join(at, 'votes.jsonl'), '{"reviewer":"Bob","item":"p1","que');
    const again = await openReview(at);
    await again.vote('Bob', 'p2', yes);
    await again.close();
    const third = await openReview(at);
    expect(third.votes().map(({ reviewer, item }) => `${reviewer} ${item}`)).toEqual([
      'Ada p0',
      'Ada p0',
      'Bob p2',
      'Bob p2',
    ]);
    await third.close();
  });

  it('of several last words the latest holds, also of one who decided before', async () => {
    const { review } = await reviewed();
    await review.vote('Lead', 'p0', yes, { decides: true });
    await review.vote('Second', 'p0', { object: 'no' }, { decides: true });
    await review.vote('Lead', 'p0', { object: 'yes' }, { decides: true });
    const [first] = outcomes(queue, review.votes());
    expect(first).toMatchObject({
      outcome: 'kept',
      reason: 'object: Lead decided yes; only: Lead decided yes',
    });
    await review.close();
  });

  it('takes in what another process adds', async () => {
    const { at, review } = await reviewed();
    const other = await openReview(at);
    await other.vote('Bob', 'p1', yes);
    await review.vote('Ada', 'p0', yes);
    await Promise.all([review.refresh(), other.refresh()]);
    expect(review.votes()).toHaveLength(4);
    expect(other.own('Ada', 'p0')).toEqual(yes);
    await Promise.all([review.close(), other.close()]);
  });

  it('goes back and forth over what the reviewer has judged, in the order it was handed out', async () => {
    const { review } = await reviewed();
    const seen: string[] = [];
    for (let i = 0; i < 3; i++) {
      const { item } = review.next('Ada');
      seen.push(item?.id ?? '');
      await review.vote('Ada', seen[i], yes);
    }
    await review.vote('Ada', seen[0], { object: 'no' });
    expect(review.around('Ada', seen[1])).toEqual({ previous: seen[0], following: seen[2] });
    expect(review.around('Ada', review.next('Ada').item?.id ?? '')).toEqual({ previous: seen[2], following: null });
    expect(review.around('Bob', seen[1])).toEqual({ previous: null, following: null });
    await review.close();
  });

  it('reviewers are blind to each other, have orders of their own, and see no gold answer in what they are given', async () => {
    const { review } = await reviewed();
    await review.vote('Ada', 'p3', yes);
    expect(review.own('Bob', 'p3')).toEqual({});
    const orders = ['Ada', 'Bob', 'Eve'].map((name) => review.next(name).item?.id);
    expect(new Set(orders).size).toBeGreaterThan(1);
    await review.close();
  });

  it('hands out pictures until each has its votes, gold to everyone', async () => {
    const { review } = await reviewed();
    for (const name of ['Ada', 'Bob', 'Eve', 'Dan'])
      for (let next = review.next(name); next.item; next = review.next(name))
        await review.vote(name, next.item.id, yes);
    const perItem = new Map<string, number>();
    for (const { item, question } of review.votes())
      if (question === 'object') perItem.set(item, (perItem.get(item) ?? 0) + 1);
    expect(perItem.get('gold')).toBe(4);
    for (let i = 0; i < 10; i++) expect(perItem.get(`p${i}`)).toBe(3);
    await review.close();
  });

  it('refuses unknown pictures, questions and answers, each with what is possible', async () => {
    const { review } = await reviewed();
    await expect(review.vote('Ada', 'nope', yes)).rejects.toThrow(/a picture of this review/);
    await expect(review.vote('Ada', 'p0', { nope: 'yes' })).rejects.toThrow(/one of object, only/);
    await expect(review.vote('Ada', 'p0', { object: 'maybe' })).rejects.toThrow(/one of yes, no, unsure/);
    await review.close();
  });

  it('a queue with votes is not replaced by another', async () => {
    const { at, review } = await reviewed();
    await review.vote('Ada', 'p0', yes);
    await review.close();
    await createReview(at, queue);
    await expect(createReview(at, { ...queue, title: 'other' })).rejects.toThrow(/votes on another queue/);
  });
});

describe('the outcome', () => {
  it('keeps by the rule, leaves out with the reason, waits where votes are missing, and takes a last word', async () => {
    const { review } = await reviewed();
    for (const name of ['Ada', 'Bob', 'Eve']) await review.vote(name, 'p0', yes);
    for (const name of ['Ada', 'Bob']) await review.vote(name, 'p1', { object: 'yes', only: 'no' });
    await review.vote('Ada', 'p2', yes);
    await review.vote('Ada', 'p3', yes);
    await review.vote('Bob', 'p3', { object: 'no', only: 'yes' });
    await review.vote('Lead', 'p3', yes, { decides: true });
    const by = new Map(outcomes(queue, review.votes()).map((row) => [row.item.id, row]));
    expect(by.get('p0')).toMatchObject({ outcome: 'kept', disputed: false });
    expect(by.get('p1')).toMatchObject({ outcome: 'left-out', reason: 'only: 0 of 2 said yes, 2 needed' });
    expect(by.get('p2')?.outcome).toBe('open');
    expect(by.get('p3')?.outcome).toBe('kept');
    expect(by.has('gold')).toBe(false);
    await review.close();
  });

  it('agreement and gold: a last word counts for neither', async () => {
    const { review } = await reviewed();
    for (const [i, item] of queue.items.entries()) {
      await review.vote('Ada', item.id, { object: i % 2 ? 'yes' : 'no', only: 'yes' });
      await review.vote('Bob', item.id, { object: i % 2 ? 'yes' : 'no', only: i % 3 ? 'yes' : 'no' });
    }
    await review.vote('Lead', 'gold', { object: 'no' }, { decides: true });
    const [object, only] = agreement(queue, review.votes());
    expect(object).toMatchObject({ reviewers: 2, items: 11, krippendorff: { estimate: 1 } });
    expect(only.krippendorff.estimate).toBeLessThan(0.2);
    expect(goldResults(queue, review.votes())).toMatchObject([
      { reviewer: 'Ada', asked: 2, right: 0 },
      { reviewer: 'Bob', asked: 2, right: 0 },
    ]);
    await review.close();
  });
});
