import { setTimeout as wait } from 'node:timers/promises';
import type { RedisOptions } from 'bullmq';
import { Redis } from 'ioredis';
import { expected, UserError } from '../../contracts/errors.ts';

const passwordVariable = 'SCENESHIFT_QUEUE_PASSWORD';

/** `redis://host:port/db`, or `rediss://` for TLS. The password stands in the environment, so that no list of processes shows it. */
export function queueConnection(url: string): RedisOptions {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['redis:', 'rediss:'].includes(parsed.protocol) || !parsed.hostname)
    throw expected('redis://HOST[:PORT] or rediss://…', '--queue', withoutPassword(url));
  return {
    host: parsed.hostname,
    port: Number(parsed.port || 6379),
    ...(parsed.pathname.length > 1 && { db: Number(parsed.pathname.slice(1)) }),
    ...(parsed.username && { username: decodeURIComponent(parsed.username) }),
    password: process.env[passwordVariable] ?? (parsed.password ? decodeURIComponent(parsed.password) : undefined),
    ...(parsed.protocol === 'rediss:' && { tls: { servername: parsed.hostname } }),
    maxRetriesPerRequest: null,
    // A server that restarts is waited for, at most this long between two tries.
    retryStrategy: (times) => Math.min(200 * times, 3000),
  };
}

/** A connection that is up, or one line that says why not. */
export async function connectQueue(url: string): Promise<Redis> {
  const redis = new Redis({ ...(queueConnection(url) as object), lazyConnect: true });
  let reason = '';
  redis.on('error', (error: Error) => {
    reason = error.message || String((error as NodeJS.ErrnoException).code);
  });
  const patience = setTimeout(() => redis.disconnect(), 10_000);
  try {
    await redis.connect();
    await redis.ping();
    return redis;
  } catch (error) {
    redis.disconnect();
    throw new UserError(`No queue at ${withoutPassword(url)}: ${reason || (error as Error).message}`, { exitCode: 1 });
  } finally {
    clearTimeout(patience);
  }
}

/** The address without its password, for messages. */
export const withoutPassword = (url: string): string => url.replace(/\/\/[^@/]*@/, '//');

const [lookMs, awayMs] = [100, 1000];

/** Waits for a step that needs the queue server, but not for a server that is away. */
export async function unlessAway(redis: Redis, step: Promise<unknown>): Promise<void> {
  let [ended, away] = [false, 0];
  const ending = step.finally(() => (ended = true));
  ending.catch(() => undefined);
  while (!ended && away < awayMs) {
    await Promise.race([ending, wait(lookMs)]);
    away = redis.status === 'ready' ? 0 : away + lookMs;
  }
  if (ended) await ending;
}
