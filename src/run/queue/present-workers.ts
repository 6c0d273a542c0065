import type { Redis } from 'ioredis';

const prefix = 'sceneshift-worker:';

/** Names this connection, now and whenever it comes back, so that everybody sees which workers are there. */
export function announceWorker(redis: Redis, name: string): void {
  const tell = () => void redis.client('SETNAME', `${prefix}${name.replaceAll(/[^!-~]/g, '_')}`).catch(() => undefined);
  redis.on('ready', tell);
  if (redis.status === 'ready') tell();
}

/** The workers that are connected. */
export async function presentWorkers(redis: Redis): Promise<string[]> {
  const connections = String(await redis.client('LIST'));
  return [...connections.matchAll(/ name=(\S+)/g)].flatMap(([, name]) =>
    name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
  );
}
