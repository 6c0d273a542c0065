import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type Bucket, openBucket } from '../support/bucket.ts';
import type { ManyMachines } from '../support/many-machines.ts';
import type { TestRedis } from '../support/redis.ts';
import type { S3Server } from '../support/s3-server.ts';
import { sharedCases, sharedCommands } from '../support/shared-cases.ts';
import { startSceneshift } from '../support/spawn-cli.ts';

export interface SharedTrial {
  readonly command: string;
  readonly way: 'two shares' | 'two workers';
  readonly seconds: number;
  readonly identical: boolean;
  readonly problem?: string;
}

const bucketName = 'sceneshift-shared';
const at = (path: string) => `s3://${bucketName}/${path}`;

/** `render`, `train`, `explain`, `generate` and `mine` with all on the storage, held against one process on one disk. */
export async function sharedOnStorage(
  machines: ManyMachines,
  server: S3Server,
  redis: TestRedis,
  tell: (trial: SharedTrial) => void,
): Promise<void> {
  const { root, data, model } = machines;
  const bucket = await openBucket(server, bucketName);
  const painter = join(root, 'sd15');
  await cp(fileURLToPath(new URL('../../test/fixtures/diffusion/sd15', import.meta.url)), painter, { recursive: true });
  await bucket.upload(data, 'data');
  await bucket.upload(painter, 'sd15');
  for (const name of ['net.onnx', 'net.onnx.json']) await bucket.put(name, await readFile(join(root, name)));
  const newMachine = async () => ({
    ...server.env,
    SCENESHIFT_CACHE: await mkdtemp(join(root, `cache-${server.name}-`)),
  });
  const call = async (args: readonly string[], env: Record<string, string> = {}) => {
    const ran = await startSceneshift([...args], { env, cwd: root });
    if (ran.status !== 0) throw new Error(`${args.join(' ')}: status ${ran.status}: ${ran.stderr.slice(-2000)}`);
    return ran.stdout;
  };
  const there = (args: readonly string[]) =>
    args.map((arg) => (arg === data ? at('data') : arg === model ? at('net.onnx') : arg));
  const plain = ['run', '--data', data, '--model', model, '--scenarios', 'original', '--no-controls', '--threads', '1'];
  await call([...plain, '--out', join(root, 'plain')]);
  await call([...there(plain), '--out', at('plain')], await newMachine());
  await call([...there(machines.args), '--out', at('whole')], await newMachine());
  const here = sharedCases({ data, model, painter, whole: join(root, 'whole') });
  const stored = sharedCases({ data: at('data'), model: at('net.onnx'), painter: at('sd15'), whole: at('whole') });
  const more = ['--threads', '1', '--json'];

  for (const command of sharedCommands) {
    const { run } = here[command];
    const alone = join(root, `alone-${sharedCommands.indexOf(command)}`);
    if (run) await cp(join(root, run), alone, { recursive: true });
    const expected = asCompared(
      await here[command].results(alone, await call([...here[command].args(alone), ...more])),
    );
    /** A run folder on the storage is copied by joining it with nothing. */
    const prepared = async (name: string) => {
      if (run) await call(['merge', at(run), '--out', at(name)], await newMachine());
      return at(name);
    };
    const trial = async (way: SharedTrial['way'], work: (name: string) => Promise<string>) => {
      const started = performance.now();
      const name = `${command.replaceAll(' ', '-')}-${way.replaceAll(' ', '-')}`;
      try {
        const stdout = await work(name);
        const results = asCompared(await stored[command].results(await download(bucket, name, root), stdout));
        const identical = isDeepStrictEqual(results, expected);
        const problem = identical ? undefined : firstDifference(results, expected);
        tell({ command, way, seconds: (performance.now() - started) / 1000, identical, problem });
      } catch (error) {
        const problem = (error as Error).message;
        tell({ command, way, seconds: (performance.now() - started) / 1000, identical: false, problem });
      }
    };
    await trial('two shares', async (name) => {
      const parts: string[] = [];
      for (const share of ['1/2', '2/2']) {
        const part = await prepared(`${name}-${share[0]}`);
        await call([...stored[command].args(part), '--shard', share, ...more], await newMachine());
        parts.push(part);
      }
      await call(['merge', ...parts, '--out', at(name)], await newMachine());
      return call([...stored[command].args(at(name)), ...more], await newMachine());
    });
    await trial('two workers', async (name) => {
      const out = await prepared(name);
      const place = { root: `s3://${bucketName}` };
      const workers = [
        machines.startWorker(redis.url, { ...place, env: await newMachine() }),
        machines.startWorker(redis.url, { ...place, env: await newMachine() }),
      ];
      const leave = async () => {
        for (const { child } of workers) child.kill('SIGTERM');
        return Promise.all(workers.map(({ ended }) => ended));
      };
      const queue = ['--queue', redis.url, '--root', place.root];
      const coordinating = call([...stored[command].args(out), ...queue, ...more], await newMachine());
      const stdout = await coordinating.catch(async (error: unknown) => {
        await leave();
        throw error;
      });
      const ends = await leave();
      const chunks = ends.map((end) => Number(/in (\d+) chunks/.exec(end.stdout)?.[1] ?? 0));
      if (chunks[0] + chunks[1] === 0) throw new Error(`no worker did anything: ${ends.map((end) => end.stderr)}`);
      return stdout;
    });
  }
}

/** Where the dataset lies is part of what a rendered folder says of itself. */
const asCompared = (results: unknown): unknown => {
  const { 'render.json': _, ...files } = JSON.parse(JSON.stringify(results)) as Record<string, unknown>;
  return files;
};

function firstDifference(found: unknown, expected: unknown): string {
  const [a, b] = [found, expected] as Record<string, unknown>[];
  const name = [...new Set([...Object.keys(a), ...Object.keys(b)])].find((key) => !isDeepStrictEqual(a[key], b[key]));
  const shown = (value: unknown) => String(JSON.stringify(value)).slice(0, 300);
  return name === undefined ? 'the order of fields' : `${name}: ${shown(a[name])} instead of ${shown(b[name])}`;
}

/** What the bucket holds below a prefix, by Amazon's client alone. */
async function download(bucket: Bucket, prefix: string, scratch: string): Promise<string> {
  const folder = await mkdtemp(join(scratch, 'stored-'));
  for (const { key } of await bucket.list(prefix)) {
    const file = join(folder, ...key.slice(prefix.length + 1).split('/'));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await bucket.read(key));
  }
  return folder;
}
