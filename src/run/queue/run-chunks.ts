import { setTimeout as wait } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Assignment, Chunk, ChunkDone } from '../../contracts/queue.ts';
import { unlessAborted } from '../../net/unless-aborted.ts';
import { clearDone, listDone, readDone, removeDone } from './chunks.ts';
import { unlessAway } from './connection.ts';
import { assignmentKey } from './keys.ts';
import { openLaneQueues } from './lane-queues.ts';
import { laneOf, sweepLanes } from './lanes.ts';
import { presentWorkers } from './present-workers.ts';
import { watchTrouble } from './trouble.ts';

export interface QueuePlace {
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

/** A queue that has lost chunks is filled again, at most this often. */
const refillMs = 15_000;
const lookMs = 2000;

/**
 * Hands chunks to workers and waits until each is done or set aside. The folder decides what is done: a queue that
 * loses its memory is filled again, and the rows of a chunk that was done twice are there once.
 */
export async function runChunks(chunks: readonly Chunk[], place: QueuePlace, ends: ChunkEnds): Promise<void> {
  const { redis, assignment, out, signal, pollMs = 500 } = place;
  const queues = openLaneQueues(redis, [...new Set(chunks.map(laneOf))]);
  const open = new Map(chunks.map((chunk) => [chunk.name, chunk]));
  const troubles = watchTrouble(redis, assignment.id, place.onTrouble);
  let [filled, looked, held] = [0, 0, 0];
  // While the queue server is away its answers do not come; an interrupt does not wait for it.
  const asked = <T>(answer: Promise<T>) => unlessAborted(answer, signal);
  const failedOnes = async () => (await asked(queues.failed())).filter((job) => open.has(job.id as string));
  try {
    await asked(sweepLanes(redis));
    // What an earlier call set aside gets its tries again.
    for (const job of await failedOnes()) await asked(job.remove());
    while (open.size && !signal?.aborted) {
      const looks = Date.now() - looked > lookMs;
      // Asked before the folder is: a chunk leaves the queue after its file is there, so one that has neither is lost.
      if (looks) held = await asked(queues.held());
      const done: string[] = [];
      for (const name of await listDone(out)) {
        const chunk = open.get(name);
        open.delete(name);
        if (chunk) ends.onDone(chunk, await readDone(out, name));
        if (chunk) done.push(name);
        await removeDone(out, name);
      }
      await asked(queues.settled(done));
      if (looks && open.size) {
        for (const job of await failedOnes()) {
          const chunk = open.get(job.id as string) as Chunk;
          open.delete(chunk.name);
          ends.onSetAside(chunk, job.failedReason ?? 'no reason given');
          await asked(queues.settled([chunk.name]));
        }
        if (held < open.size && Date.now() - filled > refillMs) {
          await asked(redis.set(assignmentKey(assignment.id), JSON.stringify(assignment)));
          await asked(queues.add([...open.values()]));
          filled = Date.now();
        }
        await asked(queues.renew());
        if (open.size) await asked(presentWorkers(redis).then(troubles.look));
        looked = Date.now();
      }
      if (open.size) await wait(pollMs, undefined, { signal }).catch(() => undefined);
    }
    if (!signal?.aborted) await clearDone(out);
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    await unlessAway(redis, queues.leave([...open.values()]));
  }
}
