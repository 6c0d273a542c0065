import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { randomFor } from '../../src/stats/random.ts';
import { type ManyMachines, rowsOf, type StartedWorker } from '../support/many-machines.ts';
import type { TestRedis } from '../support/redis.ts';
import { type Link, makeLink } from './network.ts';

export interface TrialResult {
  readonly seconds: number;
  readonly rows: number;
  /** Every row as one process gives it, none missing, none twice. */
  readonly identical: boolean;
  readonly problem?: string;
}

async function compare(machines: ManyMachines, name: string, started: number, stderr: string): Promise<TrialResult> {
  const rows = await rowsOf(join(machines.root, name));
  const identical = JSON.stringify(rows) === JSON.stringify(machines.whole);
  const seconds = (performance.now() - started) / 1000;
  return { seconds, rows: rows.length, identical, ...(!identical && { problem: stderr.slice(-2000) }) };
}

export interface KillSettings {
  readonly kills: number;
  readonly restarts: number;
  readonly workers: number;
  readonly chunk: number;
  readonly seed: number;
}

/** A run whose workers are killed at random moments and whose queue server is ended and started again, once with an empty memory. */
export async function killTrial(
  machines: ManyMachines,
  redis: TestRedis,
  name: string,
  { kills, restarts, workers: count, chunk, seed }: KillSettings,
): Promise<TrialResult & { readonly kills: number; readonly restarts: number }> {
  const random = randomFor('queue kills', seed);
  const started = performance.now();
  let over = false;
  const running = machines.coordinate(redis.url, name, ['--chunk', String(chunk)]).finally(() => {
    over = true;
  });
  const workers = new Set<StartedWorker>();
  const start = () => {
    const worker = machines.startWorker(redis.url);
    workers.add(worker);
    return worker;
  };
  for (let i = 0; i < count; i++) start();
  let [killed, restarted] = [0, 0];
  while (!over && killed < kills) {
    const worker = random.pick([...workers]);
    // At a random moment of its life: while it loads, in its first chunk, between chunks, much later.
    await Promise.race([worker.says('takes work'), running]);
    await Promise.race([wait(4000 * random.uniform()), running]);
    if (over) break;
    worker.child.kill('SIGKILL');
    await worker.ended;
    workers.delete(worker);
    killed++;
    start();
    if (restarted < restarts && killed >= ((restarted + 1) * kills) / (restarts + 1)) {
      await redis.restart({ forget: restarted === 0 });
      restarted++;
    }
  }
  const { stderr } = await running;
  for (const { child } of workers) child.kill('SIGKILL');
  await Promise.all([...workers].map(({ ended }) => ended));
  return { ...(await compare(machines, name, started, stderr)), kills: killed, restarts: restarted };
}

/** A run whose workers are behind slow links that lose packets. */
export async function networkTrial(
  machines: ManyMachines,
  startRedis: (hosts: readonly string[]) => Promise<TestRedis>,
  name: string,
  { workers: count = 2, chunk = 20, delayMs = 80, lossPercent = 2 } = {},
): Promise<TrialResult & { readonly carried: number; readonly dropped: number }> {
  const links: Link[] = [];
  const workers: StartedWorker[] = [];
  let redis: TestRedis | undefined;
  try {
    for (let i = 0; i < count; i++) links.push(await makeLink({ delayMs, lossPercent, seed: i }));
    redis = await startRedis(['127.0.0.1', ...links.map(({ address }) => address)]);
    const { port } = new URL(redis.url);
    const started = performance.now();
    for (const { namespace, address } of links)
      workers.push(machines.startWorker(`redis://${address}:${port}`, { namespace }));
    const { stderr } = await machines.coordinate(redis.url, name, ['--chunk', String(chunk)]);
    const result = await compare(machines, name, started, stderr);
    for (const { child } of workers) child.kill('SIGKILL');
    await Promise.all(workers.map(({ ended }) => ended));
    const carried = await Promise.all(links.splice(0).map((link) => link.remove()));
    const sum = (what: 'carried' | 'dropped') => carried.reduce((all, one) => all + one[what], 0);
    return { ...result, carried: sum('carried'), dropped: sum('dropped') };
  } finally {
    for (const { child } of workers) child.kill('SIGKILL');
    await redis?.stop();
    for (const link of links) await link.remove();
  }
}
