import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { configSchema } from '../src/contracts/config.ts';
import { makeAssignment } from '../src/run/queue/assignment.ts';
import { connectQueue } from '../src/run/queue/connection.ts';
import { shareByQueue } from '../src/run/queue/share-by-queue.ts';
import { startWorker } from '../src/run/queue/worker.ts';
import { hasRedis, startRedis, type TestRedis } from '../test/support/redis.ts';
import { writeLightNet } from './inference.ts';
import type { BenchInput, Figure } from './main.ts';
import { firstRows } from './memory.ts';

const scenarios = ['--scenarios', 'original,blur-background,random-background,grey,size:0.05,dark-background'];
/** Samples of a small run and a large one: their difference is free of what starting costs. */
const sizes = [120, 960];
const chunkAnswers = 400;

/** Two workers of one thread against one process of two threads, and what the queue itself costs of an answer. */
export async function benchQueue(input: BenchInput): Promise<Figure[]> {
  if (!hasRedis || availableParallelism() < 2) {
    process.stderr.write('• queue: left out, it needs redis-server and two cores\n');
    return [];
  }
  const redis = await startRedis();
  try {
    const model = input.model ?? (await writeLightNet(join(input.scratch, 'light.onnx')));
    const [alone, shared]: { seconds: number; answers: number }[][] = [[], []];
    for (const size of sizes) {
      const data = await firstRows(input.manifest, size, join(input.scratch, `queue-${size}.csv`));
      const args = ['run', '--data', data, '--model', model, ...scenarios, '--backgrounds', input.backgrounds];
      alone.push(await timed(input.bin, [...args, '--threads', '2', '--out', join(input.scratch, `alone-${size}`)]));
      shared.push(
        await byTwoWorkers(input, redis, [...args, '--threads', '2', '--out', join(input.scratch, `shared-${size}`)]),
      );
    }
    const rate = ([few, many]: { seconds: number; answers: number }[]) =>
      (many.answers - few.answers) / (many.seconds - few.seconds);
    const chunk = await chunkCost(input.scratch, redis);
    // Of two cores' time for one answer.
    const share = chunk.all / chunkAnswers / (2 / rate(alone));
    return [
      { name: 'one process, two threads', value: rate(alone), unit: 'answers/s' },
      { name: 'two workers, one thread each', value: rate(shared), unit: 'answers/s' },
      { name: 'two workers over one process', value: rate(shared) / rate(alone), unit: '×', limit: { atLeast: 0.95 } },
      { name: 'two workers over one process, with starting', value: alone[1].seconds / shared[1].seconds, unit: '×' },
      { name: 'queue, coordinator and worker: processor time of a chunk', value: 1000 * chunk.all, unit: 'ms' },
      { name: 'of which Redis', value: 1000 * chunk.redis, unit: 'ms' },
      {
        name: `queue's own share of an answer (chunks of ${chunkAnswers})`,
        value: 100 * share,
        unit: '%',
        limit: { atMost: 1 },
      },
    ];
  } finally {
    await redis.stop();
  }
}

async function timed(bin: string, args: readonly string[]): Promise<{ seconds: number; answers: number }> {
  await ended(start(bin, args));
  const record = JSON.parse(await readFile(join(args.at(-1) as string, 'run.json'), 'utf8'));
  return { seconds: record.seconds, answers: record.rows };
}

async function byTwoWorkers({ bin }: BenchInput, redis: TestRedis, args: readonly string[]) {
  const worker = ['worker', '--queue', redis.url, '--root', '/', '--threads', '1'];
  const workers = [start(bin, worker), start(bin, worker)];
  try {
    await Promise.all(workers.map((child) => new Promise((resolve) => child.stderr?.once('data', resolve))));
    const out = args.slice(-2);
    return await timed(bin, [...args.slice(0, -2), '--queue', redis.url, '--root', '/', ...out]);
  } finally {
    for (const child of workers) child.kill('SIGTERM');
    await Promise.all(workers.map((child) => ended(child).catch(() => undefined)));
  }
}

const start = (bin: string, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (text) => (said += text));
    child.once('close', (status) => (status ? reject(new Error(said)) : resolve()));
  });

/** Processor seconds of a chunk that holds no work: Redis, coordinator and worker together, and Redis alone. */
async function chunkCost(scratch: string, server: TestRedis): Promise<{ all: number; redis: number }> {
  const redis = await connectQueue(server.url);
  const chunks = 1000;
  const place = { root: scratch, out: join(scratch, 'empty'), version: 'bench' };
  const assignment = makeAssignment(configSchema.parse({}), { command: 'render', ...place });
  const idle = { paths: [], open: async () => ({ carryOut: async () => undefined }) };
  const before = { redis: await redisSeconds(redis), own: process.cpuUsage() };
  const worker = startWorker({ redis, ...place, shareWorks: { render: async () => idle } });
  try {
    await shareByQueue([...Array(16 * chunks).keys()], { redis, assignment, out: place.out });
    const { user, system } = process.cpuUsage(before.own);
    const ofRedis = (await redisSeconds(redis)) - before.redis;
    return { all: ((user + system) / 1e6 + ofRedis) / chunks, redis: ofRedis / chunks };
  } finally {
    await worker.close();
    redis.disconnect();
  }
}

async function redisSeconds(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  const of = (name: string) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1]);
  return of('used_cpu_user') + of('used_cpu_sys');
}
