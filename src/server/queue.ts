import { Hono } from 'hono';
import type { StudioQueue } from '../contracts/studio/queue.ts';
import type { QueueStatus } from '../run/queue/status.ts';

/** The rate is taken over this long: chunks take seconds, and machines come and go. */
const windowMs = 60_000;

interface Seen {
  readonly time: number;
  readonly depth: number;
}

const depthOf = ({ waiting, active, delayed }: QueueStatus) => waiting + active + delayed;

/** What leaves the queue, from how deep it was at each look; new work that comes in between does not count as negative. */
export function createRate() {
  const seen: Seen[] = [];
  return (now: Seen): number | null => {
    seen.push(now);
    while (seen[0].time < now.time - windowMs) seen.shift();
    const seconds = (now.time - seen[0].time) / 1000;
    if (seconds <= 0) return null;
    let done = 0;
    for (let i = 1; i < seen.length; i++) done += Math.max(0, seen[i - 1].depth - seen[i].depth);
    return done / seconds;
  };
}

/** The queue that the studio was started with: depth, rate, workers, failures, time left. */
export function queueRoutes(url: string | undefined): Hono {
  const rateOf = createRate();
  return new Hono().get('/queue', async (c) => {
    if (!url) return c.json({ url: null } satisfies StudioQueue);
    // Loaded where there is a queue: it is half of all the files that the studio would read to start.
    const { connectQueue, withoutPassword } = await import('../run/queue/connection.ts');
    const { queueStatus } = await import('../run/queue/status.ts');
    const shown = withoutPassword(url);
    try {
      const redis = await connectQueue(url);
      const status = await queueStatus(redis).finally(() => redis.disconnect());
      const depth = depthOf(status);
      const rate = rateOf({ time: Date.now(), depth });
      const secondsLeft = depth === 0 ? 0 : rate ? depth / rate : null;
      return c.json({ url: shown, ...status, chunksPerSecond: rate, secondsLeft } satisfies StudioQueue);
    } catch (error) {
      return c.json({ url: shown, problem: (error as Error).message } satisfies StudioQueue);
    }
  });
}
