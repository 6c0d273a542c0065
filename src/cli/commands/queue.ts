import { setTimeout as wait } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { expected } from '../../contracts/errors.ts';
import { fixedOf } from '../../contracts/numbers.ts';
import { terminalText } from '../../formats/escape.ts';
import { connectQueue } from '../../run/queue/connection.ts';
import { queueStatus } from '../../run/queue/status.ts';
import { defineCommand } from '../command.ts';
import { print } from '../ui/output.ts';
import { formatSeconds } from '../ui/progress.ts';

export const queue = defineCommand({
  name: 'queue',
  summary: 'What is in the queue: depth, workers, rate, failures, time left.',
  options: {
    queue: { type: 'string', value: 'URL', describe: 'redis://HOST[:PORT]' },
    seconds: { type: 'number', default: 2, describe: 'how long to watch for the rate' },
  },
  examples: ['sceneshift queue --queue redis://head:6379'],
  async run({ json, queue: url, seconds }) {
    if (!url) throw expected('redis://HOST[:PORT]', '--queue', undefined);
    const redis = await connectQueue(url);
    const { before, status } = await watch(redis, seconds).finally(() => redis.disconnect());
    const depth = (now: typeof status) => now.waiting + now.active + now.delayed;
    const perSecond = Math.max(0, depth(before) - depth(status)) / seconds;
    const left = depth(status) === 0 ? 0 : perSecond > 0 ? depth(status) / perSecond : null;
    print(json, { ...status, chunksPerSecond: perSecond, secondsLeft: left }, () =>
      terminalText(
        [
          `${status.waiting} chunks wait, ${status.active} under way, ${status.delayed} to be tried again, ${status.failed} set aside${status.runs > 1 ? `, of ${status.runs} runs` : ''}`,
          `${status.workers.length} workers${status.workers.length ? `: ${status.workers.slice(0, 8).join(', ')}` : ''}`,
          left === null
            ? 'No chunk was finished while watching'
            : `${fixedOf(perSecond, 1)} chunks/s, ${formatSeconds(left)} left`,
          ...status.failures.map(
            ({ chunk, reason, tries }) => `  ${chunk.slice(0, 8)} after ${tries} tries: ${reason}`,
          ),
        ].join('\n'),
      ),
    );
  },
});

async function watch(redis: Redis, seconds: number) {
  const before = await queueStatus(redis);
  await wait(1000 * seconds);
  return { before, status: await queueStatus(redis) };
}
