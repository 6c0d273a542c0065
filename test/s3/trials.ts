import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { randomFor } from '../../src/stats/random.ts';
import { type Bucket, openBucket } from '../support/bucket.ts';
import type { ManyMachines, StartedWorker } from '../support/many-machines.ts';
import type { TestRedis } from '../support/redis.ts';
import type { S3Server } from '../support/s3-server.ts';
import { startSceneshift } from '../support/spawn-cli.ts';
import { parquetContent } from '../support/stored-content.ts';

export interface StorageTrial {
  readonly seconds: number;
  readonly rows: number;
  /** Every value of every row as one process on one disk gives it, hashes included; none missing, none twice. */
  readonly identical: boolean;
  readonly stops: number;
  readonly problem?: string;
}

export interface Storage {
  readonly server: S3Server;
  byWorkers(name: string, redis: TestRedis, settings: WorkerTrial): Promise<StorageTrial & { readonly kills: number }>;
  byShares(name: string, of: number): Promise<StorageTrial>;
}

export interface WorkerTrial {
  readonly workers: number;
  readonly chunk: number;
  readonly kills?: number;
  readonly redisRestarts?: number;
  readonly seed?: number;
}

/** How long the server is away each time, and how often. */
const awayMs = 4000;
const mostStops = 2;

/** The data and the model of some machines on a server; every machine has a cache of its own. */
export async function onStorage(machines: ManyMachines, server: S3Server): Promise<Storage> {
  const bucket = await openBucket(server, 'sceneshift-long');
  await bucket.upload(machines.data, 'data');
  for (const name of ['net.onnx', 'net.onnx.json']) await bucket.put(name, await readFile(join(machines.root, name)));
  const expected = JSON.stringify(await localContent(join(machines.root, 'whole')));
  const at = (path: string) => `s3://sceneshift-long/${path}`;
  const args = machines.args.map((arg) =>
    arg === machines.data ? at('data') : arg === machines.model ? at('net.onnx') : arg,
  );
  const newMachine = async () => ({
    ...server.env,
    SCENESHIFT_CACHE: await mkdtemp(join(machines.root, `cache-${server.name}-`)),
  });
  const compare = async (name: string, started: number, stops: number, said: string): Promise<StorageTrial> => {
    const stored = await storedContent(bucket, name, machines.root);
    const identical = JSON.stringify(stored) === expected;
    const seconds = (performance.now() - started) / 1000;
    return { seconds, rows: stored.length, identical, stops, ...(!identical && { problem: said.slice(-2000) }) };
  };
  return {
    server,

    async byWorkers(name, redis, { workers: count, chunk, kills = 0, redisRestarts = 0, seed = 0 }) {
      const random = randomFor('storage trial', name, seed);
      const started = performance.now();
      const place = ['--queue', redis.url, '--root', 's3://sceneshift-long'];
      const coordinator = [...args, ...place, '--out', at(name), '--chunk', String(chunk)];
      let over = false;
      const running = startSceneshift(coordinator, { env: await newMachine() }).finally(() => {
        over = true;
      });
      let chunks = 0;
      const workers = new Set<StartedWorker>();
      const start = async () => {
        const worker = machines.startWorker(redis.url, { root: 's3://sceneshift-long', env: await newMachine() });
        worker.child.stderr?.on('data', (text) => (chunks += String(text).split(' answers in ').length - 1));
        workers.add(worker);
      };
      for (let i = 0; i < count; i++) await start();
      // At a third and at two thirds of the work, whoever does it.
      const all = machines.whole.length / chunk;
      let stops = 0;
      const stopping = (async () => {
        while (!over && stops < mostStops) {
          if (chunks >= ((stops + 1) * all) / (mostStops + 1)) {
            stops++;
            await server.stop();
            await wait(awayMs);
            await server.start();
          }
          await wait(50);
        }
      })();
      let [killed, restarted] = [0, 0];
      while (!over && killed < kills) {
        const worker = random.pick([...workers]);
        await Promise.race([worker.says('takes work'), running]);
        await Promise.race([wait(5000 * random.uniform()), running]);
        if (over) break;
        worker.child.kill('SIGKILL');
        await worker.ended;
        workers.delete(worker);
        killed++;
        await start();
        if (restarted < redisRestarts && killed >= ((restarted + 1) * kills) / (redisRestarts + 1)) {
          await redis.restart({ forget: restarted === 0 });
          restarted++;
        }
      }
      const { stderr } = await running;
      await stopping;
      for (const { child } of workers) child.kill('SIGKILL');
      const ends = await Promise.all([...workers].map(({ ended }) => ended));
      const said = [stderr, ...ends.map((end) => end.stderr)].join('\n---\n');
      return { ...(await compare(name, started, stops, said)), kills: killed };
    },

    async byShares(name, of) {
      const started = performance.now();
      const parts: string[] = [];
      let [stops, said] = [0, ''];
      for (let i = 1; i <= of; i++) {
        const out = at(`${name}-${i}`);
        let away: Promise<void> | undefined;
        const ran = await startSceneshift([...args, '--shard', `${i}/${of}`, '--out', out], {
          env: await newMachine(),
          onStart: (child) =>
            child.stderr?.on('data', (text) => {
              if (away || stops >= mostStops || !String(text).includes('answers to come')) return;
              stops++;
              away = server
                .stop()
                .then(() => wait(awayMs))
                .then(server.start);
            }),
        });
        await away;
        said += ran.stderr;
        parts.push(out);
      }
      const merged = await startSceneshift(['merge', ...parts, '--out', at(name)], { env: await newMachine() });
      return compare(name, started, stops, said + merged.stderr);
    },
  };
}

async function localContent(run: string): Promise<unknown[][]> {
  const names = (await readdir(join(run, 'predictions'))).filter((name) => name.endsWith('.parquet'));
  return parquetContent(names.map((name) => join(run, 'predictions', name)));
}

/** What the bucket holds of a run, by Amazon's client alone. */
async function storedContent(bucket: Bucket, run: string, scratch: string): Promise<unknown[][]> {
  const folder = await mkdtemp(join(scratch, 'stored-'));
  const files: string[] = [];
  for (const { key } of await bucket.list(`${run}/predictions`)) {
    const file = join(folder, `${files.length}.parquet`);
    await writeFile(file, await bucket.read(key));
    files.push(file);
  }
  return files.length ? parquetContent(files) : [];
}
