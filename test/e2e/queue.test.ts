import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withRunFolder } from '../../src/run/folder/index.ts';
import { sceneshift, temporaryFolder } from '../support/cli.ts';
import { type MadeDataset, makeDataset } from '../support/dataset.ts';
import { plainNet } from '../support/onnx.ts';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.ts';

const rowsOf = (run: string) => withRunFolder(run, (folder) => folder.rows('predictions'));

describe('many machines', () => {
  let root: string;
  let data: MadeDataset;
  let args: string[];
  let whole: Awaited<ReturnType<typeof rowsOf>>;
  let redis: TestRedis;
  const workers = new Set<ChildProcess>();

  beforeAll(async () => {
    if (hasRedis) redis = await startRedis();
    root = await mkdtemp(join(tmpdir(), 'sceneshift-queue-'));
    data = await makeDataset(join(root, 'data'), { perClass: 12 });
    const model = join(root, 'net.onnx');
    const layers = [{ channels: 8, kernel: 5, stride: 2 }];
    await writeFile(model, plainNet({ sizePx: 48, layers, outputs: 3, seed: 'queue' }));
    const record = {
      labels: ['disc', 'square', 'ring'],
      resize: { shortSide: 48, filter: 'bilinear' },
      crop: 48,
      preprocessing: 'imagenet',
    };
    await writeFile(`${model}.json`, JSON.stringify(record));
    const scenarios = 'original,blur-background,random-background,size:0.05';
    args = ['run', '--data', data.folder, '--model', model, '--scenarios', scenarios, '--threads', '1', '--json'];
    const ran = await sceneshift([...args, '--out', join(root, 'whole')]);
    expect(ran.stderr).not.toContain('✗');
    whole = await rowsOf(join(root, 'whole'));
    expect(whole.length).toBe(36 * 5);
  });
  afterAll(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await redis?.stop();
    await rm(root, { recursive: true, force: true });
  });

  it('shares 1/4 to 4/4 do a quarter each and joined are the whole run; the same share twice agrees', async () => {
    const parts = [];
    for (let i = 1; i <= 4; i++) {
      const out = join(root, `part-${i}`);
      await sceneshift([...args, '--shard', `${i}/4`, '--out', out]);
      expect(await rowsOf(out)).toHaveLength(45);
      parts.push(out);
    }
    const again = join(root, 'part-2-again');
    await sceneshift([...args, '--shard', '2/4', '--out', again]);
    const names = async (run: string) => (await readdir(join(run, 'predictions'))).sort();
    expect(await names(again)).toEqual(await names(parts[1]));
    const joined = join(root, 'joined');
    const merged = await sceneshift(['merge', ...parts, again, '--out', joined, '--json']);
    expect(JSON.parse(merged.stdout)).toMatchObject({ rows: whole.length });
    expect(await rowsOf(joined)).toEqual(whole);
    // A later run finds nothing left to do.
    const later = await sceneshift([...args, '--out', joined]);
    expect(later.stderr).toContain(`${whole.length} of ${whole.length} answers found`);
  });

  it('a share that is no share is refused', async () => {
    const { status, stderr } = await sceneshift([...args, '--shard', '5/4', '--out', join(root, 'no')]);
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining("I/N, for instance 3/16 for --shard but received '5/4'"),
    ]);
  });

  describe.skipIf(!hasRedis)('with a queue (needs redis-server: apt-get install redis-server)', () => {
    const startWorker = () =>
      sceneshift(['worker', '--queue', redis.url, '--root', root, '--threads', '1'], {
        onStart: (child) => {
          workers.add(child);
          child.once('close', () => workers.delete(child));
        },
      });
    const coordinate = (name: string) =>
      sceneshift([...args, '--queue', redis.url, '--root', root, '--out', join(root, name)]);

    it('two workers give the rows of one process', async () => {
      const working = [startWorker(), startWorker()];
      const ran = await coordinate('by-queue');
      expect(ran.stderr).not.toContain('✗');
      expect(await rowsOf(join(root, 'by-queue'))).toEqual(whole);
      const record = JSON.parse(await readFile(join(root, 'by-queue', 'run.json'), 'utf8'));
      expect(record.finished).toBeTruthy();
      const shown = await sceneshift(['queue', '--queue', redis.url, '--seconds', '0.1', '--json']);
      expect(JSON.parse(shown.stdout)).toMatchObject({ waiting: 0, active: 0, failed: 0 });
      for (const worker of workers) worker.kill('SIGTERM');
      for (const ended of await Promise.all(working)) expect(ended.stderr).toContain('Finishing the chunk in hand');
    });

    it('workers killed in the middle and a queue that forgets everything cost nothing but time', async () => {
      const running = coordinate('stormy');
      let killed = 0;
      for (let round = 0; round < 3; round++) {
        const worker = startWorker();
        // Killed when it has begun to work, whatever it is doing then.
        const [child] = [...workers].slice(-1);
        await new Promise<void>((resolve) => {
          let seen = '';
          child.stderr?.on('data', (text) => {
            seen += text;
            if (seen.includes('takes work')) setTimeout(resolve, 300 * (round + 1));
          });
          child.once('close', () => resolve());
        });
        child.kill('SIGKILL');
        await worker;
        killed++;
        if (round === 1) await redis.restart({ forget: true });
      }
      startWorker();
      await running;
      expect(killed).toBe(3);
      expect(await rowsOf(join(root, 'stormy'))).toEqual(whole);
      for (const worker of workers) worker.kill('SIGTERM');
    });

    it('a worker refuses what a link leads out of its root to', async () => {
      const elsewhere = temporaryFolder();
      await symlink(data.folder, join(elsewhere, 'data'));
      const running = coordinate('refused');
      const worker = sceneshift(['worker', '--queue', redis.url, '--root', elsewhere, '--threads', '1'], {
        onStart: (child) => workers.add(child),
      });
      const ran = await running;
      for (const child of workers) child.kill('SIGTERM');
      expect((await worker).stderr).toMatch(/! .*The queue names data, which is not below .*; refused/);
      // Set aside after its tries, with its reason; nothing was answered.
      expect(ran.status).not.toBe(0);
      expect(ran.stderr).toContain('set aside after 3 tries');
    });

    it('no queue: one line', async () => {
      const { status, stderr } = await sceneshift([
        ...args,
        '--queue',
        'redis://127.0.0.1:9',
        '--root',
        root,
        '--out',
        join(root, 'none'),
      ]);
      expect(status).toBe(1);
      expect(stderr).toMatch(/No queue at redis:\/\/127\.0\.0\.1:9/);
    });
  });
});
