import { setTimeout as wait } from 'node:timers/promises';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { ErrorLine } from '../../contracts/prediction.ts';
import type { Assignment, Chunk } from '../../contracts/queue.ts';
import type { Plan } from '../plan.ts';
import type { MissingAnswers } from '../predict-job.ts';
import { clearDone, listDone, makeChunks, readDone } from './chunks.ts';
import { queueConnection, queueName } from './connection.ts';
import { assignmentKey } from './keys.ts';

export interface QueueOptions {
  readonly url: string;
  readonly redis: Redis;
  readonly assignment: Assignment;
  readonly out: string;
  readonly answersPerChunk?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (answers: number) => void;
  readonly pollMs?: number;
}

export interface AnsweredByQueue {
  readonly errors: ErrorLine[];
  /** Chunks that failed on every try: set aside with their reason, their samples are errors. */
  readonly setAside: number;
}

const tries = 3;

/**
 * Hands the missing answers to workers and waits until they are on disk. What counts is what the run folder says: a queue
 * that loses its memory is filled again, a chunk that was done twice is there once, two coordinators name the same chunks.
 */
export async function answerByQueue(
  plan: Plan,
  missing: readonly MissingAnswers[],
  { url, redis, assignment, out, answersPerChunk = 400, signal, onProgress, pollMs = 500 }: QueueOptions,
): Promise<AnsweredByQueue> {
  const queue = new Queue(queueName, { connection: queueConnection(url) });
  // Unreachable for a while is no reason to stop: the connection comes back by itself.
  queue.on('error', () => undefined);
  const chunks = new Map(makeChunks(assignment.id, missing, answersPerChunk).map((chunk) => [chunk.name, chunk]));
  const errors: ErrorLine[] = [];
  const open = new Map(chunks);
  let setAside = 0;
  try {
    let filled = 0;
    while (open.size && !signal?.aborted) {
      // Now and then everything is offered again: what is queued already is not queued twice.
      if (Date.now() - filled > 15_000) {
        await redis.set(assignmentKey(assignment.id), JSON.stringify(assignment));
        await enqueue(queue, [...open.values()]);
        filled = Date.now();
      }
      for (const name of await listDone(out)) {
        const chunk = open.get(name);
        if (!chunk) continue;
        open.delete(name);
        errors.push(...(((await readDone(out, name))?.errors ?? []) as unknown as ErrorLine[]));
        onProgress?.(answersOf(chunk));
      }
      for (const job of await queue.getFailed(0, 100)) {
        const chunk = job.id === undefined ? undefined : open.get(job.id);
        if (!chunk) continue;
        open.delete(chunk.name);
        setAside++;
        errors.push(...failedSamples(plan, chunk, job.failedReason ?? 'no reason given'));
        onProgress?.(answersOf(chunk));
      }
      if (open.size) await wait(pollMs, undefined, { signal }).catch(() => undefined);
    }
    if (signal?.aborted) for (const chunk of open.values()) await queue.remove(chunk.name).catch(() => undefined);
    else await clearDone(out);
  } finally {
    await queue.close();
  }
  const order = new Map(plan.plannedSamples.map(({ sample }, i) => [sample.id, i]));
  return { errors: errors.sort((a, b) => (order.get(a.sample) ?? 0) - (order.get(b.sample) ?? 0)), setAside };
}

const enqueue = (queue: Queue, chunks: readonly Chunk[]) =>
  queue.addBulk(
    chunks.map((chunk) => ({
      name: 'chunk',
      data: chunk,
      opts: {
        // The same work has the same name, and is queued once.
        jobId: chunk.name,
        attempts: tries,
        backoff: { type: 'exponential', delay: 500 },
        removeOnComplete: true,
      },
    })),
  );

const answersOf = ({ work }: Chunk) => work.reduce((sum, { conditions }) => sum + conditions.length, 0);

const failedSamples = ({ plannedSamples }: Plan, { work }: Chunk, reason: string): ErrorLine[] =>
  work.map(({ sampleIndex }) => ({
    sample: plannedSamples[sampleIndex].sample.id,
    problem: 'other',
    message: `set aside after ${tries} tries: ${reason}`,
  }));
