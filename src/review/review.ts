import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expected, UserError } from '../contracts/errors.ts';
import {
  type ReviewItem,
  type ReviewQueue,
  type ReviewVote,
  reviewQueueSchema,
  reviewVoteSchema,
} from '../contracts/review.ts';
import { replaceFile } from '../formats/replace-file.ts';
import { randomFor } from '../stats/random.ts';
import { openVoteLog } from './vote-log.ts';

export interface Review {
  readonly folder: string;
  readonly queue: ReviewQueue;
  /** Every vote and every last word. */
  votes(): ReviewVote[];
  /** Takes in what other processes have added. */
  refresh(): Promise<void>;
  /** The picture this reviewer should see next, and how many are left for them; blind to what others said. */
  next(reviewer: string): { readonly item: ReviewItem | null; readonly done: number; readonly left: number };
  /** The pictures this reviewer has judged before and after this one (null: the end), in their own order. */
  around(
    reviewer: string,
    item: string | null,
  ): { readonly previous: string | null; readonly following: string | null };
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
  await replaceFile(path, text, { durable: true });
}

export async function openReview(folder: string): Promise<Review> {
  const text = await readFile(join(folder, 'queue.json'), 'utf8').catch(() => {
    throw new UserError(`No review in ${folder}; expected a folder with queue.json`);
  });
  const queue = reviewQueueSchema.parse(JSON.parse(text));
  const log = await openVoteLog(folder);
  const items = new Map(queue.items.map((item) => [item.id, item]));
  const questions = new Map(queue.questions.map((question) => [question.id, question]));

  /** Picture → the reviewer's answers. */
  const answersOf = (reviewer: string) => {
    const answers = new Map<string, Record<string, string>>();
    for (const vote of log.all()) {
      if (vote.reviewer !== reviewer || vote.decides) continue;
      const known = answers.get(vote.item) ?? {};
      known[vote.question] = vote.answer;
      answers.set(vote.item, known);
    }
    return answers;
  };
  const isWhole = (answers: Record<string, string> | undefined) =>
    Object.keys(answers ?? {}).length === queue.questions.length;

  return {
    folder,
    queue,
    votes: () => log.all(),
    refresh: () => log.refresh(),
    own: (reviewer, item) => answersOf(reviewer).get(item) ?? {},
    next(reviewer) {
      const own = answersOf(reviewer);
      const order = orderFor(queue, reviewer);
      const open = order.filter(({ id }) => !isWhole(own.get(id)));
      const others = new Map<string, Set<string>>();
      for (const vote of log.all()) {
        if (vote.decides || vote.reviewer === reviewer) continue;
        others.set(vote.item, (others.get(vote.item) ?? new Set()).add(vote.reviewer));
      }
      // A picture that has its votes needs no more; gold is for everyone.
      const wanted = open.filter(
        ({ id, gold }) => gold || own.has(id) || (others.get(id)?.size ?? 0) < queue.rule.votes,
      );
      return { item: wanted[0] ?? null, done: order.length - open.length, left: wanted.length };
    },
    around(reviewer, item) {
      const own = answersOf(reviewer);
      const order = orderFor(queue, reviewer).map(({ id }) => id);
      const at = item === null ? order.length : order.indexOf(item);
      return {
        previous: order.slice(0, at).findLast((id) => own.has(id)) ?? null,
        following: order.slice(at + 1).find((id) => own.has(id)) ?? null,
      };
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
