import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Running, sceneshift, sceneshiftEach } from '../support/cli.ts';
import { freePort } from '../support/free-port.ts';
import { type ManyMachines, manyMachines, rowsOf, type StartedWorker } from '../support/many-machines.ts';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.ts';

/** Several of them; the report is asked for where it matters who has the folder at the end. */
const chunks = ['--chunk', '5', '--no-report'];

describe('many machines', () => {
  let machines: ManyMachines;
  let redis: TestRedis;
  beforeAll(async () => {
    if (hasRedis) redis = await startRedis();
    machines = await manyMachines();
    expect(machines.whole.length).toBe(9 * 5);
  });
  afterAll(async () => {
    await machines.stop();
    await redis?.stop();
  });

  it('shares 1/3 to 3/3 do a third each and joined are the whole run; the same share twice agrees', async () => {
    const { root, args, whole } = machines;
    const parts = [1, 2, 3].map((i) => join(root, `part-${i}`));
    const again = join(root, 'part-2-again');
    const joined = join(root, 'joined');
    const ran = await sceneshiftEach([
      ...parts.map((out, i) => [...args, '--no-report', '--shard', `${i + 1}/3`, '--out', out]),
      [...args, '--no-report', '--shard', '2/3', '--out', again],
      ['merge', ...parts, again, '--out', joined, '--json'],
    ]);
    for (const { status, stderr } of ran) expect(status, stderr).toBe(0);
    for (const out of parts) expect(await rowsOf(out)).toHaveLength(15);
    const names = async (run: string) => (await readdir(join(run, 'predictions'))).sort();
    expect(await names(again)).toEqual(await names(parts[1]));
    expect(JSON.parse(ran[4].stdout)).toMatchObject({ rows: whole.length });
    expect(await rowsOf(joined)).toEqual(whole);
    // A later run finds nothing left to do.
    const later = await sceneshift([...args, '--out', joined]);
    expect(later.stderr).toContain(`${whole.length} of ${whole.length} answers found`);
  });

  it('a share that is no share is refused', async () => {
    const { status, stderr } = await sceneshift([
      ...machines.args,
      ...['--shard', '5/4', '--out', join(machines.root, 'no')],
    ]);
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining("I/N, for instance 3/16 for --shard but received '5/4'"),
    ]);
  });

  describe.skipIf(!hasRedis)('with a queue (needs redis-server: apt-get install redis-server)', () => {
    let workers: StartedWorker[] = [];
    afterEach(async () => {
      await Promise.all(workers.map((worker) => worker.leave()));
      workers = [];
    });
    const start = (settings: Parameters<ManyMachines['startWorker']>[1] = {}) => {
      const worker = machines.startWorker(redis.url, settings);
      workers.push(worker);
      return worker;
    };

    /** A coordinator that has said so. */
    const begun = async (name: string, line: string, isApart = false) => {
      let child = undefined as Running | undefined;
      let ended = undefined as ReturnType<ManyMachines['coordinate']> | undefined;
      await new Promise<void>((resolve, reject) => {
        const onStart = (started: Running) => {
          child = started;
          let said = '';
          started.stderr?.on('data', (text) => {
            said += text;
            if (said.includes(line)) resolve();
          });
        };
        ended = machines.coordinate(redis.url, name, ['--chunk', '5'], { onStart, isApart });
        ended.then(({ stderr }) => reject(new Error(`ended before it said ${line}: ${stderr}`)));
      });
      return { child: child as Running, ended: ended as NonNullable<typeof ended> };
    };

    it('1, 2 and 4 workers give the rows of one process', async () => {
      for (const count of [1, 2, 4]) {
        while (workers.length < count) start();
        await Promise.all(workers.map(({ says }) => says('takes work')));
        const out = join(machines.root, `by-${count}`);
        const ran = await machines.coordinate(redis.url, `by-${count}`, chunks);
        expect(ran.status, ran.stderr).toBe(0);
        expect(await rowsOf(out)).toEqual(machines.whole);
        expect(JSON.parse(await readFile(join(out, 'run.json'), 'utf8')).finished).toBeTruthy();
      }
      const shown = await sceneshift(['queue', '--queue', redis.url, '--seconds', '0.1', '--json']);
      expect(JSON.parse(shown.stdout)).toMatchObject({ waiting: 0, active: 0, failed: 0 });
      for (const { child } of workers) child.kill('SIGTERM');
      const ends = await Promise.all(workers.map(({ ended }) => ended));
      for (const { stderr } of ends) expect(stderr).toContain('Finishing the chunk in hand');
    });

    it('workers killed in the middle and a queue that forgets everything cost nothing but time', async () => {
      const running = machines.coordinate(redis.url, 'stormy', chunks);
      for (let round = 0; round < 2; round++) {
        const worker = start({ isApart: true });
        // Killed when it has begun to work, whatever it is doing then; on a busy machine it may have done all by then.
        await Promise.race([worker.says('answers in'), running]);
        worker.child.kill('SIGKILL');
        await worker.ended;
        if (round === 0) await redis.restart({ forget: true });
      }
      start();
      const ran = await running;
      expect(ran.status, ran.stderr).toBe(0);
      expect(await rowsOf(join(machines.root, 'stormy'))).toEqual(machines.whole);
    });

    it('two coordinators of the same run both end with all of it, none twice', async () => {
      let oneWaits = () => {};
      const waiting = new Promise<void>((resolve) => (oneWaits = resolve));
      const onStart = ({ stderr }: Running) => {
        let said = '';
        stderr?.on('data', (text) => {
          said += text;
          if (said.includes('waiting until it is through')) oneWaits();
        });
      };
      const coordinate = () => machines.coordinate(redis.url, 'twice', ['--chunk', '5'], { onStart });
      const running = Promise.all([coordinate(), coordinate()]);
      await Promise.race([waiting, running]);
      start();
      const both = await running;
      for (const { status, stderr } of both) expect(status, stderr).toBe(0);
      expect(both.some(({ stderr }) => stderr.includes('waiting until it is through'))).toBe(true);
      const results = both.map(({ stdout }) => JSON.parse(stdout));
      expect(results.map(({ rows }) => rows)).toEqual([machines.whole.length, machines.whole.length]);
      expect(results[0].score).toEqual(results[1].score);
      expect(await rowsOf(join(machines.root, 'twice'))).toEqual(machines.whole);
    });

    it('a coordinator that stood by and was killed is missed by nobody', async () => {
      const first = await begun('standby', 'answers to come');
      const second = await begun('standby', 'waiting until it is through', true);
      second.child.kill('SIGKILL');
      await second.ended;
      start();
      const { status, stderr } = await first.ended;
      expect(status, stderr).toBe(0);
      expect(await rowsOf(join(machines.root, 'standby'))).toEqual(machines.whole);
      expect(existsSync(join(machines.root, 'standby', '.lock'))).toBe(false);
    });

    it('a run that is whole already needs no worker', async () => {
      const ran = await machines.coordinate(redis.url, 'whole', ['--no-report']);
      expect(ran.status, ran.stderr).toBe(0);
      expect(ran.stderr).toContain('45 of 45 answers found');
    });

    it('a worker tells what it did, how deep the queue is, and whether it is well', async () => {
      const port = await freePort();
      start({ args: ['--metrics-port', String(port)] });
      const ran = await machines.coordinate(redis.url, 'measured', chunks);
      expect(ran.status, ran.stderr).toBe(0);
      const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
      const text = await (await ask('/metrics')).text();
      expect(text).toMatch(/^sceneshift_answers_total\{worker="[^"]+"\} 45$/m);
      expect(text).toMatch(/^sceneshift_queue_waiting 0$/m);
      const health = await ask('/health');
      expect([health.status, await health.text()]).toEqual([200, 'ok\n']);
      expect((await ask('/else')).status).toBe(404);
    });

    it('an interrupt ends coordinator and worker although the queue server is away', async () => {
      const worker = start({ isApart: true });
      await worker.says('takes work');
      await redis.stop();
      worker.child.kill('SIGINT');
      expect((await worker.ended).stdout).toContain('0 answers in 0 chunks');
      await redis.restart();
      const { child, ended } = await begun('interrupted', 'answers to come', true);
      await redis.stop();
      child.kill('SIGINT');
      const { status, stderr } = await ended;
      await redis.restart();
      expect([null, 130], stderr).toContain(status);
      expect(stderr).toContain('Interrupted; the same command goes on from here');
    });

    it('no queue: one line', async () => {
      const { status, stderr } = await machines.coordinate('redis://127.0.0.1:9', 'none');
      expect(status).toBe(1);
      expect(stderr).toMatch(/No queue at redis:\/\/127\.0\.0\.1:9/);
    });
  });
});
