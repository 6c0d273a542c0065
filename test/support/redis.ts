import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

/** Where there is no redis-server the queue cannot be tried; `npm test` installs it where it may. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

export interface TestRedis {
  readonly url: string;
  /** Ends it at once, as a power cut would, and starts it again with an empty memory or with what it had saved. */
  restart(options?: { forget?: boolean }): Promise<void>;
  stop(): Promise<void>;
}

/** A Redis of the test's own, on a free port of this machine, its files in a temporary folder. */
export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'sceneshift-redis-'));
  let server = await start(port, folder);
  const end = () =>
    new Promise<void>((resolve) => {
      if (server.exitCode !== null || server.signalCode !== null) return resolve();
      server.once('exit', () => resolve());
      server.kill('SIGKILL');
    });
  return {
    url: `redis://127.0.0.1:${port}`,
    async restart({ forget = false } = {}) {
      await end();
      server = await start(port, forget ? mkdtempSync(join(tmpdir(), 'sceneshift-redis-')) : folder);
    },
    stop: end,
  };
}

async function start(port: number, folder: string): Promise<ChildProcess> {
  const settings = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--appendonly',
    'yes',
    '--save',
    '',
  ];
  const server = spawn('redis-server', settings, { stdio: 'ignore' });
  const redis = new Redis({
    port,
    host: '127.0.0.1',
    lazyConnect: true,
    maxRetriesPerRequest: null,
    retryStrategy: () => 50,
  });
  redis.on('error', () => undefined);
  await redis.connect().catch(() => undefined);
  await redis.ping();
  redis.disconnect();
  return server;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
