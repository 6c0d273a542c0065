import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';

/** Where there is no redis-server the queue cannot be tried; `npm test` installs it where it may. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

export interface TestRedis {
  readonly url: string;
  /** Ends it at once, as a power cut would, and starts it again with an empty memory or with what it had saved. */
  restart(options?: { forget?: boolean }): Promise<void>;
  stop(): Promise<void>;
}

export interface RedisSettings {
  /** Addresses of this machine that it listens on. */
  readonly hosts?: readonly string[];
  /** PEM files; it then speaks TLS alone. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly ca: string };
  readonly password?: string;
}

/** A Redis of the test's own, on a free port of this machine, its files in a temporary folder. */
export async function startRedis({ hosts = ['127.0.0.1'], tls, password }: RedisSettings = {}): Promise<TestRedis> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'sceneshift-redis-'));
  const settings = { port, hosts, tls, password };
  let server = await start(settings, folder);
  const end = () =>
    new Promise<void>((resolve) => {
      if (server.exitCode !== null || server.signalCode !== null) return resolve();
      server.once('exit', () => resolve());
      server.kill('SIGKILL');
    });
  return {
    url: tls ? `rediss://localhost:${port}` : `redis://${hosts[0]}:${port}`,
    async restart({ forget = false } = {}) {
      await end();
      server = await start(settings, forget ? mkdtempSync(join(tmpdir(), 'sceneshift-redis-')) : folder);
    },
    stop: end,
  };
}

async function start(
  { port, hosts, tls, password }: RedisSettings & { port: number; hosts: readonly string[] },
  folder: string,
): Promise<ChildProcess> {
  const listens = tls
    ? ['--port', '0', '--tls-port', String(port), '--tls-key-file', tls.key, '--tls-cert-file', tls.cert]
    : ['--port', String(port)];
  const settings = [
    ...listens,
    ...(tls ? ['--tls-ca-cert-file', tls.ca, '--tls-auth-clients', 'no'] : []),
    ...(password ? ['--requirepass', password] : []),
    ...['--bind', ...hosts, '--dir', folder, '--appendonly', 'yes', '--save', '', '--protected-mode', 'no'],
  ];
  const server = spawn('redis-server', settings, { stdio: 'ignore' });
  const redis = new Redis({
    port,
    host: hosts[0],
    password,
    ...(tls && { tls: { ca: readFileSync(tls.ca), servername: 'localhost' } }),
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
