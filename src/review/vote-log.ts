import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type ReviewVote, reviewVoteSchema } from '../contracts/review.ts';

export interface VoteLog {
  /** Every vote that counts, the latest of each reviewer, picture and question. */
  all(): ReviewVote[];
  /** Reads what other processes have added since. */
  refresh(): Promise<void>;
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
  const file: FileHandle = await open(join(folder, 'votes.jsonl'), 'a+');
  const latest = new Map<string, ReviewVote>();
  /** Bytes taken in: whole lines. */
  let known = 0;
  const read = async () => {
    const { size } = await file.stat();
    if (size <= known) return;
    const added = Buffer.alloc(size - known);
    const { bytesRead } = await file.read(added, 0, added.length, known);
    const whole = added.subarray(0, bytesRead).lastIndexOf(10) + 1;
    for (const line of added.toString('utf8', 0, whole).split('\n')) {
      if (!line) continue;
      const vote = reviewVoteSchema.parse(JSON.parse(line));
      // Taken out first, so that the order is that of the latest word.
      latest.delete(keyOf(vote));
      latest.set(keyOf(vote), vote);
    }
    known += whole;
  };
  let reading = Promise.resolve();
  const readOn = () => {
    reading = reading.then(read, read);
    return reading;
  };
  await readOn();
  if ((await file.stat()).size > known) await file.truncate(known);

  let pending: { readonly votes: readonly ReviewVote[]; readonly done: PromiseWithResolversLike }[] = [];
  let writing: Promise<void> | undefined;
  const drain = async () => {
    while (pending.length) {
      const batch = pending;
      pending = [];
      try {
        const lines = batch.flatMap(({ votes }) => votes.map((vote) => `${JSON.stringify(vote)}\n`));
        await file.appendFile(lines.join(''));
        await file.datasync();
        await readOn();
        for (const { done } of batch) done.resolve();
      } catch (error) {
        // A full disk can leave half a line, which the next vote must not run into.
        await readOn()
          .then(() => file.truncate(known))
          .catch(() => {});
        for (const { done } of batch) done.reject(error);
      }
    }
    writing = undefined;
  };

  return {
    all: () => [...latest.values()],
    refresh: () => writing ?? readOn(),
    append(votes) {
      const done = resolvers();
      pending.push({ votes, done });
      writing ??= drain();
      return done.promise;
    },
    async close() {
      await writing;
      await reading.catch(() => {});
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
