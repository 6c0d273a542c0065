import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { assignmentOf, type LaneDepth, laneDepths, queueOf } from './lanes.ts';
import { presentWorkers } from './present-workers.ts';

export interface QueueStatus {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
  /** How many runs (or other commands) have chunks in the queue. */
  readonly runs: number;
  readonly workers: readonly string[];
  readonly failures: readonly { readonly chunk: string; readonly reason: string; readonly tries: number }[];
}

const mostFailures = 20;

/** What the queue holds, who takes from it, and what was set aside. */
export async function queueStatus(redis: Redis): Promise<QueueStatus> {
  const depths = await laneDepths(redis);
  const busy = depths.filter(({ waiting, active, delayed }) => waiting + active + delayed > 0);
  const failures = [];
  for (const { lane, failed } of depths) {
    if (!failed || failures.length >= mostFailures) continue;
    const queue = new Queue(queueOf(lane), { connection: redis });
    queue.on('error', () => undefined);
    for (const job of await queue.getFailed(0, mostFailures - failures.length - 1)) {
      const reason = (job.failedReason ?? 'no reason given').split('\n')[0];
      failures.push({ chunk: String(job.id), reason, tries: job.attemptsMade });
    }
    await queue.close();
  }
  return {
    ...summed(depths),
    runs: new Set(busy.map(({ lane }) => assignmentOf(lane))).size,
    workers: await presentWorkers(redis),
    failures,
  };
}

type Depth = Pick<QueueStatus, 'waiting' | 'active' | 'delayed' | 'failed'>;

/** The numbers of chunks alone, for those who ask often. */
export const queueDepth = async (redis: Redis): Promise<Depth> => summed(await laneDepths(redis));

function summed(depths: readonly LaneDepth[]): Depth {
  const sum = (of: (depth: LaneDepth) => number) => depths.reduce((total, depth) => total + of(depth), 0);
  return {
    waiting: sum(({ waiting }) => waiting),
    active: sum(({ active }) => active),
    delayed: sum(({ delayed }) => delayed),
    failed: sum(({ failed }) => failed),
  };
}
