import type { ChildProcess } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { putOnce } from '../../src/storage/objects.ts';
import { type Bucket, openBucket } from '../support/bucket.ts';
import { type Running, sceneshift, startSceneshift } from '../support/cli.ts';
import { makeDataset } from '../support/dataset.ts';
import { plainNet } from '../support/onnx.ts';
import { hasRedis, startRedis } from '../support/redis.ts';
import { startS3Proxy } from '../support/s3-proxy.ts';
import { hasRadosGateway, type S3Server, startRadosGateway, startS3rver } from '../support/s3-server.ts';
import { parquetContent } from '../support/stored-content.ts';

const shardsOf = async (run: string) =>
  (await readdir(join(run, 'predictions'))).filter((name) => /^\w+\.parquet$/.test(name)).sort();
const contentOf = async (run: string) =>
  parquetContent((await shardsOf(run)).map((name) => join(run, 'predictions', name)));

const scenarios = 'original,blur-background,random-background';
/** One process on one disk, which everything else must equal. */
let home: string;
let whole: unknown[][];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-s3-'));
  await makeDataset(join(home, 'data'), { perClass: 3 });
  const record = {
    labels: ['disc', 'square', 'ring'],
    resize: { shortSide: 48, filter: 'bilinear' },
    crop: 48,
    preprocessing: 'imagenet',
  };
  const layers = [{ channels: 8, kernel: 5, stride: 2 }];
  await writeFile(join(home, 'net.onnx'), plainNet({ sizePx: 48, layers, outputs: 3, seed: 's3' }));
  await writeFile(join(home, 'net.onnx.json'), JSON.stringify(record));
  const args = ['--data', join(home, 'data'), '--model', join(home, 'net.onnx'), '--scenarios', scenarios];
  const ran = await sceneshift(['run', ...args, '--no-report', '--threads', '1', '--out', join(home, 'whole')]);
  expect(ran.stderr).not.toContain('✗');
  whole = await contentOf(join(home, 'whole'));
  expect(whole).toHaveLength(9 * 4);
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('on s3rver (out of npm)', () => {
  const there = onServer(startS3rver);
  itWorksThrough(there);
  describe.skipIf(!hasRedis)('with a queue (needs redis-server: apt-get install redis-server)', () =>
    itTakesWorkers(there),
  );
});
describe.skipIf(!hasRadosGateway)('on radosgw (needs apt-get install radosgw ceph-mon ceph-osd)', () => {
  const there = onServer(startRadosGateway);
  itPutsOnce(there);
});

/** A server with the dataset and the model on it, for the tests of one `describe`. */
function onServer(startServer: () => Promise<S3Server>) {
  let server: S3Server;
  let bucket: Bucket;
  let machines = 0;
  const at = (path: string) => `s3://sceneshift-test/${path}`;
  beforeAll(async () => {
    server = await startServer();
    bucket = await openBucket(server, 'sceneshift-test');
    await bucket.upload(join(home, 'data'), 'input/data');
    for (const name of ['net.onnx', 'net.onnx.json'])
      await bucket.put(`input/${name}`, await readFile(join(home, name)));
  });
  afterAll(() => server?.close());
  return {
    at,
    server: () => server,
    bucket: () => bucket,
    /** The environment of a machine of its own: nothing in its cache yet. */
    newMachine: (more: Record<string, string> = {}) => ({
      ...server.env,
      SCENESHIFT_CACHE: join(home, `cache-${server.name}-${++machines}`),
      ...more,
    }),
    /** Likewise, for a call in a process that has asked this server before. */
    newCache: (more: Record<string, string> = {}) => ({
      env: server.env,
      settings: { SCENESHIFT_CACHE: join(home, `cache-${server.name}-${++machines}`), ...more },
    }),
    runArgs: (out: string, ...more: string[]) => [
      ...['run', '--data', at('input/data'), '--model', at('input/net.onnx'), '--scenarios', scenarios],
      ...['--threads', '1', '--out', out, ...more],
    ],
    /** What the bucket holds of a run, brought here by other means than ours. */
    async stored(run: string) {
      const folder = await mkdtemp(join(home, 'stored-'));
      const shards = (await bucket.list(`${run}/predictions`)).map(({ key }) => key);
      const files = shards.map((_, i) => join(folder, `${i}.parquet`));
      for (const [i, key] of shards.entries()) await writeFile(files[i], await bucket.read(key));
      return parquetContent(files);
    },
  };
}
type There = ReturnType<typeof onServer>;

function itWorksThrough({ at, server, bucket, newMachine, newCache, runArgs, stored }: There) {
  it('the server stops in the middle and comes back, the cache is smaller than the pictures: the rows of one disk', async () => {
    const machine = newCache({ SCENESHIFT_CACHE_SIZE: '12K' });
    let away: Promise<void> | undefined;
    const ran = await sceneshift(runArgs(at('first'), '--json'), {
      ...machine,
      onStart: (running) =>
        onLine(running, /answers to come/, () => {
          away = server().stop().then(server().start);
        }),
    });
    expect(away).toBeDefined();
    await away;
    expect([ran.status, ran.stderr]).toEqual([0, expect.not.stringContaining('✗')]);
    expect(ran.stderr).not.toMatch(/Warning|S3RVER/);
    expect(JSON.parse(ran.stdout)).toMatchObject({ run: at('first'), rows: whole.length, errors: 0 });
    expect(await stored('first')).toEqual(whole);
    expect(bytesBelow(machine.settings.SCENESHIFT_CACHE, 'content')).toBeLessThan(12_000);
    const names = (await bucket().list('first')).map(({ key }) => key);
    expect(names).toEqual(expect.arrayContaining(['first/run.json', 'first/report.html']));
    expect(names.filter((name) => name.includes('/.'))).toEqual([]);
    const record = (await bucket().read('first/run.json')).toString();
    expect(JSON.parse(record)).toMatchObject({ data: { path: at('input/data') }, rows: whole.length });
  });

  it('another machine finds the answers, and scores them', async () => {
    const elsewhere = { ...newCache(), machine: 'another' };
    const again = await sceneshift(runArgs(at('first'), '--no-report'), elsewhere);
    expect(again.stderr).toContain(`${whole.length} of ${whole.length} answers found, 0 to do`);
    const scored = await sceneshift(['score', at('first'), '--json'], elsewhere);
    expect(JSON.parse(scored.stdout).models[0].scenarios).toHaveLength(4);
    // A copy that another process here is at work in is read as it stands, and what is in it is that one's to bring there.
    const cached = readdirSync(elsewhere.settings.SCENESHIFT_CACHE, { recursive: true, encoding: 'utf8' });
    const copy = join(
      elsewhere.settings.SCENESHIFT_CACHE,
      dirname(cached.find((name) => /first.run\.json$/.test(name)) as string),
    );
    await writeFile(join(copy, 'notes.txt'), 'not finished');
    const owner = { token: 'x', pid: process.pid, host: hostname(), since: new Date().toISOString() };
    await writeFile(join(copy, '.lock'), JSON.stringify(owner));
    expect(await sceneshift(['score', at('first'), '--json'], elsewhere)).toEqual(scored);
    const has = async (name: string) => (await bucket().list('first')).some(({ key }) => key === `first/${name}`);
    expect(await has('notes.txt')).toBe(false);
    await rm(join(copy, '.lock'));
    await sceneshift(['score', at('first'), '--json'], elsewhere);
    expect(await has('notes.txt')).toBe(true);
  });

  it('shares joined are the whole', async () => {
    for (const share of ['1/2', '2/2'])
      await sceneshift(runArgs(at(`part-${share[0]}`), '--shard', share, '--no-report'), newCache());
    const joining = ['merge', at('part-1'), at('part-2'), '--out', at('joined'), '--json'];
    const merged = await sceneshift(joining, newCache());
    expect(JSON.parse(merged.stdout)).toMatchObject({ run: at('joined'), rows: whole.length });
    expect(await stored('joined')).toEqual(whole);
  });

  it('the server stops and stays away: one line, and the next call brings what was done', async () => {
    // A process that knows no picture yet, so that it has them all when the work begins.
    const machine = newMachine({ SCENESHIFT_S3_WAIT: '1' });
    let stopping: Promise<void> | undefined;
    const ran = await startSceneshift(runArgs(at('away')), {
      env: machine,
      onStart: (child) =>
        onLine(child, /answers to come/, () => {
          stopping = server().stop();
        }),
    });
    await stopping;
    await server().start();
    expect(ran.status).toBe(1);
    expect(ran.stderr).toMatch(
      /✗ s3:\/\/sceneshift-test\/away.*has not answered for \d+ s \(ECONN\w+\); what is done is kept/,
    );
    const { SCENESHIFT_CACHE } = machine;
    const calling = { env: server().env, settings: { SCENESHIFT_CACHE } };
    const again = await sceneshift(runArgs(at('away'), '--no-report'), calling);
    expect(again.stderr).toContain(`${whole.length} of ${whole.length} answers found, 0 to do`);
    expect(await stored('away')).toEqual(whole);
  });
}

function itTakesWorkers({ at, server, bucket, newMachine, newCache, runArgs, stored }: There) {
  it('a worker that has only the storage gives the rows of one disk, the server stopped in the middle', async () => {
    const redis = await startRedis();
    const worker = { child: undefined as ChildProcess | undefined };
    const place = ['--queue', redis.url, '--root', at('')];
    let away: Promise<void> | undefined;
    const working = startSceneshift(['worker', ...place, '--threads', '1'], {
      env: newMachine(),
      onStart: (child) => {
        worker.child = child;
        onLine(child, /answers in/, () => {
          away = server().stop().then(server().start);
        });
      },
    });
    try {
      const ran = await sceneshift(runArgs(at('by-queue'), ...place, '--chunk', '9'), newCache());
      expect([ran.status, ran.stderr]).toEqual([0, expect.not.stringContaining('✗')]);
      expect(away).toBeDefined();
      await away;
      expect(await stored('by-queue')).toEqual(whole);
      const names = (await bucket().list('by-queue')).map(({ key }) => key);
      expect(names.filter((name) => name.includes('/.'))).toEqual([]);
    } finally {
      worker.child?.kill('SIGTERM');
      const { stderr } = await working;
      expect(stderr).not.toContain('✗');
      await redis.stop();
    }
  });
}

function itPutsOnce({ at, server, bucket, newMachine, newCache, runArgs, stored }: There) {
  it('what is there stays as it was first written; of many that put at once one alone does', async () => {
    beMachine(newMachine());
    try {
      const put = (key: string, text: string) => putOnce({ bucket: 'sceneshift-test', key }, Buffer.from(text));
      expect([await put('shard', 'first'), await put('shard', 'second')]).toEqual(['written', 'there']);
      expect((await bucket().read('shard')).toString()).toBe('first');
      const outcomes = await Promise.all(Array.from({ length: 12 }, (_, i) => put('race', String(i))));
      expect(outcomes.filter((outcome) => outcome === 'written')).toHaveLength(1);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('a lock whose answer was lost on the way is still the one of who put it', async () => {
    let lost = 0;
    const proxy = await startS3Proxy(server(), {
      losesAnswer: ({ method, url }) => method === 'PUT' && /\.lock\//.test(url ?? '') && lost++ === 0,
    });
    try {
      const ran = await startSceneshift(runArgs(at('lost-answer')), { env: newMachine(proxy.env) });
      expect([ran.status, ran.stderr]).toEqual([0, expect.not.stringContaining('✗')]);
      // The put was done, and its repetition refused because of itself.
      expect(lost).toBeGreaterThan(1);
      expect(await stored('lost-answer')).toEqual(whole);
      expect((await bucket().list('lost-answer')).filter(({ key }) => key.includes('.lock'))).toEqual([]);
    } finally {
      await proxy.close();
    }
  });

  it('two machines that finish the same shard in the same moment: it is there once, as one of them put it', async () => {
    const held: (() => void)[] = [];
    const proxy = await startS3Proxy(server(), {
      // Both stand before the conditional put; then both go on at once.
      before: ({ method, url }) =>
        method === 'PUT' && /predictions/.test(url ?? '')
          ? new Promise<void>((go) => {
              held.push(go);
              if (held.length === 2) for (const each of held) each();
            })
          : undefined,
    });
    const parted = (name: string, share: string) => sceneshift(runArgs(join(home, name), '--shard', share), newCache());
    try {
      // The same share, made twice: its shards have the same names and bytes.
      const machines = ['same-1', 'same-2'];
      for (const name of machines) expect((await parted(name, '1/2')).status).toBe(0);
      const [name, ...others] = await shardsOf(join(home, machines[0]));
      expect([await shardsOf(join(home, machines[1])), others]).toEqual([[name], []]);
      beMachine(newMachine(proxy.env));
      const { openOutbox } = await freshStorage();
      const sent = machines.map(async (machine) => {
        const outbox = await openOutbox(at('same'));
        await cp(join(home, machine, 'predictions'), join(outbox.path, 'predictions'), { recursive: true });
        await outbox.send();
        expect(await readdir(join(outbox.path, 'predictions'))).toEqual([]);
        await outbox.close();
      });
      await Promise.all(sent);
      expect(held).toHaveLength(2);
      expect((await bucket().list('same')).map(({ key }) => key)).toEqual([`same/predictions/${name}`]);
      expect(await stored('same')).toEqual(await contentOf(join(home, machines[0])));
    } finally {
      vi.unstubAllEnvs();
      await proxy.close();
    }
  });

  it('a run has the rows of one disk', async () => {
    const ran = await sceneshift(runArgs(at('once')), newCache());
    expect([ran.status, ran.stderr]).toEqual([0, expect.not.stringContaining('✗')]);
    expect(await stored('once')).toEqual(whole);
  });
}

/** The environment of this process, until `vi.unstubAllEnvs`. */
function beMachine(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
}

/** The client is made once for each process, for one address: here for another. */
async function freshStorage(): Promise<typeof import('../../src/storage/outbox.ts')> {
  vi.resetModules();
  return import('../../src/storage/outbox.ts');
}

/** Calls back once when the command has said so. */
function onLine({ stderr }: Running, pattern: RegExp, then: () => void) {
  let seen = '';
  stderr?.on('data', (text) => {
    if (pattern.test(seen)) return;
    seen += text;
    if (pattern.test(seen)) then();
  });
}

/** Bytes of the files in folders below that have this name. */
const bytesBelow = (folder: string, name: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath.split(sep).includes(name))
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
