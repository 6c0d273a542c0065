import { type Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Chunk } from '../../contracts/queue.ts';
import { lanesKey, openKey } from './keys.ts';
import { depthsOf, laneOf, leaveLane, queueOf } from './lanes.ts';
import { watchLane } from './take-chunks.ts';

export const tries = 3;
/** What waits at once for an answer of the queue server. */
const atOnce = 1000;
/** Chunks whose coordinator has not been heard of for this long are no reason to start workers. */
const openSeconds = 600;

/** The coordinator's side of the lanes that its chunks are in. */
export interface LaneQueues {
  /** How many chunks of these lanes the queue server has, waiting or in hand. */
  held(): Promise<number>;
  /** Queues chunks; those that the queue server still has are not queued twice. */
  add(chunks: readonly Chunk[]): Promise<void>;
  /** Those that failed on every try. */
  failed(): Promise<Job[]>;
  /** These are waited for no longer. */
  settled(names: readonly string[]): Promise<void>;
  /** The coordinator lives. */
  renew(): Promise<void>;
  /** Takes back what is still queued of these, and leaves. */
  leave(open: readonly Chunk[]): Promise<void>;
}

export function openLaneQueues(redis: Redis, lanes: readonly string[]): LaneQueues {
  // Unreachable for a while is no reason to stop: the connection comes back by itself.
  const ignore = () => undefined;
  const queues = new Map(
    lanes.map((lane) => {
      // Nobody listens to a queue's events.
      const queue = new Queue(queueOf(lane), { connection: redis, streams: { events: { maxLen: 1 } } });
      queue.on('error', ignore);
      return [lane, queue];
    }),
  );
  const watches = lanes.map((lane) => watchLane(redis, lane, ignore));
  return {
    async held() {
      const depths = await depthsOf(redis, lanes);
      return depths.reduce((sum, { waiting, active, delayed }) => sum + waiting + active + delayed, 0);
    },
    async add(chunks) {
      for (const some of inParts(chunks)) {
        await redis.sadd(openKey, ...some.map(({ name }) => name));
        for (const [lane, queue] of queues) {
          const own = some.filter((chunk) => laneOf(chunk) === lane);
          if (own.length) await queue.addBulk(own.map(jobOf));
        }
        await redis.zadd(lanesKey, 'NX', ...lanes.flatMap((lane) => [Date.now(), lane]));
      }
    },
    async failed() {
      const found = [];
      for (const queue of queues.values())
        if (await queue.getFailedCount())
          found.push(...(await queue.getFailed()).filter((job) => job?.id !== undefined));
      return found;
    },
    async settled(names) {
      if (names.length) await redis.srem(openKey, ...names);
    },
    async renew() {
      await redis.expire(openKey, openSeconds);
    },
    async leave(open) {
      // They have connections of their own, which would keep the process where the queue server is away.
      for (const watch of watches) void watch.close(true).catch(ignore);
      for (const some of inParts(open)) {
        await redis.srem(openKey, ...some.map(({ name }) => name));
        await Promise.all(some.map((chunk) => queues.get(laneOf(chunk))?.remove(chunk.name).catch(ignore)));
      }
      for (const lane of lanes) await leaveLane(redis, lane);
      for (const queue of queues.values()) await queue.close();
    },
  };
}

const inParts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / atOnce) }, (_, i) => all.slice(i * atOnce, (i + 1) * atOnce));

const jobOf = (chunk: Chunk) => ({
  name: 'chunk',
  data: chunk,
  opts: {
    // The same work has the same name, and is queued once.
    jobId: chunk.name,
    attempts: tries,
    backoff: { type: 'exponential', delay: 500 },
    removeOnComplete: true,
  },
});
