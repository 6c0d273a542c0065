import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { queueConnection, queueName } from './connection.ts';

export interface QueueStatus {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
  readonly workers: readonly string[];
  readonly failures: readonly { readonly chunk: string; readonly reason: string; readonly tries: number }[];
}

/** What the queue holds, who takes from it, and what was set aside. */
export async function queueStatus(url: string): Promise<QueueStatus> {
  const queue = new Queue(queueName, { connection: queueConnection(url) });
  queue.on('error', () => undefined);
  try {
    const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'failed');
    const failed = await queue.getFailed(0, 20);
    return {
      ...{ waiting: counts.waiting, active: counts.active, delayed: counts.delayed, failed: counts.failed },
      workers: await workerNames(queue),
      failures: failed.map((job) => ({
        chunk: String(job.id),
        reason: (job.failedReason ?? 'no reason given').split('\n')[0],
        tries: job.attemptsMade,
      })),
    };
  } finally {
    await queue.close();
  }
}

export async function workerNames(queue: Queue): Promise<string[]> {
  const workers = await queue.getWorkers();
  return workers.map((worker) => worker.rawname?.split(':').pop() ?? worker.name ?? worker.addr ?? '?');
}

/** The numbers of chunks alone, for those who ask often: three commands on an open connection. */
export async function queueDepth(redis: Redis): Promise<{ waiting: number; active: number; failed: number }> {
  const key = (name: string) => `bull:${queueName}:${name}`;
  const [waiting, active, failed] = await Promise.all([
    redis.llen(key('wait')),
    redis.llen(key('active')),
    redis.zcard(key('failed')),
  ]);
  return { waiting, active, failed };
}
