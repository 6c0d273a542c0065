import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expected, UserError } from '../contracts/errors.ts';
import {
  type ReviewItem,
  type ReviewQueue,
  type ReviewVote,
  reviewQueueSchema,
  reviewVoteSchema,
} from '../contracts/review.ts';
import { randomFor } from '../stats/random.ts';
import { openVoteLog } from './vote-log.ts';

export interface Review {
  readonly folder: string;
  readonly queue: ReviewQueue;
  /** Every vote and every last word. */
  votes(): ReviewVote[];
  /** The picture this reviewer should see next, and how many are left; blind to what others said. */
  next(reviewer: string): { readonly item: ReviewItem | null; readonly done: number; readonly total: number };
  /** What this reviewer said of a picture. */
  own(reviewer: string, item: string): Readonly<Record<string, string>>;
  /** On disk before it returns. */
  vote(
    reviewer: string,
    item: string,
    answers: Readonly<Record<string, string>>,
    options?: { decides?: boolean },
  ): Promise<void>;
  close(): Promise<void>;
}

/** Makes a review folder. An existing one with votes is not written over. */
export async function createReview(folder: string, queue: ReviewQueue): Promise<void> {
  const checked = reviewQueueSchema.parse(queue);
  const ids = new Set(checked.items.map(({ id }) => id));
  if (ids.size < checked.items.length) throw new UserError('Two pictures of the review have the same id');
  for (const question of Object.keys(checked.rule.wanted))
    if (!checked.questions.some(({ id }) => id === question))
      throw expected(`one of ${checked.questions.map(({ id }) => id).join(', ')}`, 'a question of the rule', question);
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'queue.json');
  const known = await readFile(path, 'utf8').catch(() => undefined);
  const votes = await readFile(join(folder, 'votes.jsonl'), 'utf8').catch(() => '');
  const text = `${JSON.stringify(checked, null, 2)}\n`;
  if (known !== undefined && votes && known !== text)
    throw new UserError(`${folder} has votes on another queue; take another folder`);
  const partial = `${path}.${process.pid}.partial`;
  const file = await open(partial, 'w');
  await file.writeFile(text);
  await file.sync();
  await file.close();
  await rename(partial, path);
}

export async function openReview(folder: string): Promise<Review> {
  const text = await readFile(join(folder, 'queue.json'), 'utf8').catch(() => {
    throw new UserError(`No review in ${folder}; expected a folder with queue.json`);
  });
  const queue = reviewQueueSchema.parse(JSON.parse(text));
  const log = await openVoteLog(folder);
  const items = new Map(queue.items.map((item) => [item.id, item]));
  const questions = new Map(queue.questions.map((question) => [question.id, question]));

  const own = (reviewer: string, item: string) =>
    Object.fromEntries(
      log
        .all()
        .filter((vote) => vote.reviewer === reviewer && vote.item === item && !vote.decides)
        .map(({ question, answer }) => [question, answer]),
    );
  const isDone = (reviewer: string, item: string) => Object.keys(own(reviewer, item)).length === queue.questions.length;

  return {
    folder,
    queue,
    votes: () => log.all(),
    own,
    next(reviewer) {
      const order = orderFor(queue, reviewer);
      const done = order.filter(({ id }) => isDone(reviewer, id)).length;
      const votes = log.all().filter(({ decides }) => !decides);
      // A picture that has its votes waits behind those that lack some; gold is for everyone.
      const enough = (item: ReviewItem) =>
        !item.gold &&
        new Set(votes.filter((vote) => vote.item === item.id).map((vote) => vote.reviewer)).size >= queue.rule.votes;
      const open = order.filter(({ id }) => !isDone(reviewer, id));
      return { item: open.find((item) => !enough(item)) ?? null, done, total: order.length };
    },
    async vote(reviewer, item, answers, { decides } = {}) {
      if (!items.has(item)) throw expected('a picture of this review', 'item', item);
      const time = new Date().toISOString();
      const votes = Object.entries(answers).map(([question, answer]) => {
        const known = questions.get(question);
        if (!known) throw expected(`one of ${[...questions.keys()].join(', ')}`, 'question', question);
        if (!known.answers.some(({ value }) => value === answer))
          throw expected(
            `one of ${known.answers.map(({ value }) => value).join(', ')}`,
            `the answer to '${question}'`,
            answer,
          );
        return reviewVoteSchema.parse({ reviewer, item, question, answer, time, ...(decides && { decides }) });
      });
      if (!votes.length) throw expected('at least one answer', 'answers', '{}');
      await log.append(votes);
    },
    close: () => log.close(),
  };
}

/** Every reviewer has an order of their own, so that tiredness does not fall on the same pictures. */
const orderFor = ({ items, seed }: ReviewQueue, reviewer: string) => randomFor('review', seed, reviewer).shuffle(items);
