import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ReviewVote, reviewVoteSchema } from '../contracts/review.ts';

export interface VoteLog {
  /** Every vote that counts, the latest of each reviewer, picture and question. */
  all(): ReviewVote[];
  /** On disk, and synced, before it returns. */
  append(votes: readonly ReviewVote[]): Promise<void>;
  close(): Promise<void>;
}

const keyOf = ({ reviewer, item, question, decides }: ReviewVote) =>
  [decides ? 'decides' : 'votes', reviewer, item, question].join('\u0000');

/**
 * `votes.jsonl`, only ever appended to. A kill can cut the last line, which was not acknowledged then: it is taken off, so
 * that the next line does not run into it. Votes that come at one time are written in turn and synced together.
 */
export async function openVoteLog(folder: string): Promise<VoteLog> {
  const path = join(folder, 'votes.jsonl');
  const file: FileHandle = await open(path, 'a+');
  const bytes = await readFile(path);
  const whole = bytes.lastIndexOf(10) + 1;
  if (whole < bytes.length) await file.truncate(whole);
  const latest = new Map<string, ReviewVote>();
  for (const line of bytes.subarray(0, whole).toString('utf8').split('\n')) {
    if (!line) continue;
    const vote = reviewVoteSchema.parse(JSON.parse(line));
    latest.set(keyOf(vote), vote);
  }

  let pending: { readonly votes: readonly ReviewVote[]; readonly done: PromiseWithResolversLike }[] = [];
  let writing: Promise<void> | undefined;
  const drain = async () => {
    while (pending.length) {
      const batch = pending;
      pending = [];
      const votes = batch.flatMap((entry) => entry.votes);
      try {
        await file.appendFile(votes.map((vote) => `${JSON.stringify(vote)}\n`).join(''));
        await file.datasync();
        for (const vote of votes) latest.set(keyOf(vote), vote);
        for (const { done } of batch) done.resolve();
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
    writing = undefined;
  };

  return {
    all: () => [...latest.values()],
    append(votes) {
      const done = resolvers();
      pending.push({ votes, done });
      writing ??= drain();
      return done.promise;
    },
    async close() {
      await writing;
      await file.close();
    },
  };
}

interface PromiseWithResolversLike {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function resolvers(): PromiseWithResolversLike {
  let resolve = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
