import { setTimeout as wait } from 'node:timers/promises';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Assignment, Chunk, ChunkDone } from '../../contracts/queue.ts';
import { unlessAborted } from '../../net/unless-aborted.ts';
import { clearDone, listDone, readDone, removeDone } from './chunks.ts';
import { queueConnection, queueName, unlessAway } from './connection.ts';
import { assignmentKey } from './keys.ts';
import { workerNames } from './status.ts';
import { watchTrouble } from './trouble.ts';

export interface QueuePlace {
  readonly url: string;
  readonly redis: Redis;
  readonly assignment: Assignment;
  readonly out: string;
  readonly signal?: AbortSignal;
  readonly pollMs?: number;
  /** A worker that cannot do its part, and why. */
  readonly onTrouble?: (line: string) => void;
}

interface ChunkEnds {
  onDone(chunk: Chunk, done: ChunkDone | undefined): void;
  /** It failed on every try. */
  onSetAside(chunk: Chunk, reason: string): void;
}

export const tries = 3;
/**
 * All open chunks are offered again this often, in case the queue lost them; those that it still has are not queued
 * twice.
 */
const refillMs = 15_000;
const lookMs = 2000;

/**
 * Hands chunks to workers and waits until each is done or set aside. The folder decides what is done: a queue that
 * loses its memory is filled again, and the rows of a chunk that was done twice are there once.
 */
export async function runChunks(chunks: readonly Chunk[], place: QueuePlace, ends: ChunkEnds): Promise<void> {
  const { url, redis, assignment, out, signal, pollMs = 500 } = place;
  const queue = new Queue(queueName, { connection: queueConnection(url) });
  // Unreachable for a while is no reason to stop: the connection comes back by itself.
  queue.on('error', () => undefined);
  const open = new Map(chunks.map((chunk) => [chunk.name, chunk]));
  const troubles = watchTrouble(redis, assignment.id, place.onTrouble);
  let [filled, looked] = [0, 0];
  // While the queue server is away its answers do not come; an interrupt does not wait for it.
  const asked = <T>(answer: Promise<T>) => unlessAborted(answer, signal);
  try {
    // What an earlier call set aside gets its tries again.
    for (const job of await asked(failedOf(queue, open))) await asked(job.remove());
    while (open.size && !signal?.aborted) {
      if (Date.now() - filled > refillMs) {
        await asked(redis.set(assignmentKey(assignment.id), JSON.stringify(assignment)));
        await asked(enqueue(queue, [...open.values()]));
        filled = Date.now();
      }
      for (const name of await listDone(out)) {
        const chunk = open.get(name);
        open.delete(name);
        if (chunk) ends.onDone(chunk, await readDone(out, name));
        await removeDone(out, name);
      }
      if (Date.now() - looked > lookMs) {
        for (const job of await asked(failedOf(queue, open))) {
          const chunk = open.get(job.id as string) as Chunk;
          open.delete(chunk.name);
          ends.onSetAside(chunk, job.failedReason ?? 'no reason given');
        }
        if (open.size) await asked(workerNames(queue).then(troubles.look));
        looked = Date.now();
      }
      if (open.size) await wait(pollMs, undefined, { signal }).catch(() => undefined);
    }
    if (!signal?.aborted) await clearDone(out);
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    await unlessAway(redis, leave(queue, [...open.keys()]));
    void queue.disconnect().catch(() => undefined);
  }
}

/** After an interruption, or where the whole has failed: nobody waits for the rest. */
async function leave(queue: Queue, names: readonly string[]): Promise<void> {
  for (let at = 0; at < names.length; at += 1000)
    await Promise.all(names.slice(at, at + 1000).map((name) => queue.remove(name).catch(() => undefined)));
  await queue.close();
}

async function failedOf(queue: Queue, open: ReadonlyMap<string, Chunk>) {
  if (!(await queue.getFailedCount())) return [];
  return (await queue.getFailed()).filter((job) => job?.id !== undefined && open.has(job.id));
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
