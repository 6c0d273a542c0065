import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sceneshift, startSceneshift, temporaryFolder } from '../support/cli.ts';
import { type ManyMachines, manyMachines, rowsOf, type StartedWorker } from '../support/many-machines.ts';
import { canMount, mountBelow } from '../support/mount.ts';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.ts';

const needs = 'needs redis-server: apt-get install redis-server';

describe.skipIf(!hasRedis)(`workers with trouble (${needs})`, () => {
  let machines: ManyMachines;
  let redis: TestRedis;
  let workers: StartedWorker[] = [];
  beforeAll(async () => {
    redis = await startRedis();
    machines = await manyMachines();
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.leave()));
    workers = [];
  });
  afterAll(async () => {
    await machines.stop();
    await redis.stop();
  });
  const start = (settings: Parameters<ManyMachines['startWorker']>[1] = {}, url = redis.url) => {
    const worker = machines.startWorker(url, settings);
    workers.push(worker);
    return worker;
  };

  /** A run that one worker alone works for, until its coordinator has told what that one lacks; then another comes. */
  const joinedLater = async (name: string, line: string) => {
    const ran = await machines.coordinate(redis.url, name, ['--chunk', '5', '--no-report'], {
      onStart: ({ stderr }) => {
        let said = '';
        stderr?.on('data', (text) => {
          if (said.includes(line)) return;
          said += text;
          if (said.includes(line)) start();
        });
      },
    });
    expect(ran.status, ran.stderr).toBe(0);
    return ran;
  };

  it('what a link leads out of the root to is refused; with nobody else there, the run says so and ends', async () => {
    const elsewhere = temporaryFolder();
    await symlink(machines.data, join(elsewhere, 'data'));
    const worker = start({ root: elsewhere });
    const ran = await machines.coordinate(redis.url, 'refused');
    expect(ran.status).toBe(1);
    expect(ran.stderr).toMatch(/None of the 1 workers can do it: The queue names data, which is not below .*; refused/);
    worker.child.kill('SIGTERM');
    expect((await worker.ended).stderr).toMatch(
      /! The queue names data, which is not below .*the chunk goes to others/,
    );
  });

  it('with no worker there the run says so, and goes on when one comes', async () => {
    let said = '';
    const running = machines.coordinate(redis.url, 'alone', ['--no-report'], {
      onStart: ({ stderr }) =>
        stderr?.on('data', (text) => {
          said += text;
          if (said.includes('! no worker is there; the work waits for one') && !workers.length) start();
        }),
    });
    const ran = await running;
    expect(ran.status, ran.stderr).toBe(0);
    expect(workers).toHaveLength(1);
    expect(await rowsOf(join(machines.root, 'alone'))).toEqual(machines.whole);
  });

  it('one worker that cannot see the data costs no answer while another can', async () => {
    const blind = start({ root: temporaryFolder() });
    await joinedLater('half-blind', '! worker ');
    await blind.says('the chunk goes to others');
    expect(await rowsOf(join(machines.root, 'half-blind'))).toEqual(machines.whole);
    expect(await readFile(join(machines.root, 'half-blind/errors.jsonl'), 'utf8').catch(() => '')).toBe('');
  });

  it.skipIf(!canMount)(
    'a full disk on one worker (needs the right to mount): its chunks go to others, none is lost',
    async () => {
      // The same root, but for the results: those go to a disk of 4 kB.
      const root = await mkdtemp(join(tmpdir(), 'sceneshift-full-'));
      await mkdir(join(machines.root, 'on-full-disk'));
      const undo = [
        mountBelow(root, ['--bind', machines.root]),
        mountBelow(join(root, 'on-full-disk'), ['-t', 'tmpfs', '-o', 'size=4k', 'sceneshift-full']),
      ];
      try {
        const full = start({ root, isApart: true });
        const ran = await joinedLater('on-full-disk', ": this worker's disk is full");
        expect(ran.stderr).toMatch(/! worker .*: this worker's disk is full/);
        await full.says("this worker's disk is full; the chunk goes to others");
        expect(await rowsOf(join(machines.root, 'on-full-disk'))).toEqual(machines.whole);
      } finally {
        await Promise.all(workers.map((worker) => worker.leave()));
        for (const unmount of undo.reverse()) unmount();
        await rm(root, { recursive: true, force: true });
      }
    },
  );

  it('worker --plugin; a poisoned chunk is set aside with its reason, the rest goes on, and a later call tries it again', async () => {
    const plugin = join(machines.root, 'tint.mjs');
    // Fails on one picture of the dataset, where the environment says so.
    await writeFile(
      plugin,
      `import { defineScenario } from 'sceneshift';
       export const tint = defineScenario({
         id: 'tint', family: 'colour', title: 'Tinted', description: 'One channel is inverted.', part: 'shift', object: 'changed', needs: [], params: {},
         apply({ image }) {
           const sum = image.data.reduce((a, b) => a + b, 0);
           if (process.env.POISON === String(sum)) throw new Error('this picture is poison');
           if (process.env.SHOW_SUMS) process.stderr.write(\`sum \${sum}\\n\`);
           return { ...image, data: image.data.map((value, i) => (i % 3 ? value : 255 - value)) };
         },
       });`,
    );
    const args = ['run', '--data', machines.data, '--model', machines.model, '--scenarios', 'original,tint'];
    args.push('--no-controls', '--no-report', '--threads', '1', '--plugin', plugin, '--json');
    const alone = await startSceneshift([...args, '--out', join(machines.root, 'tinted')], { env: { SHOW_SUMS: '1' } });
    expect(alone.status, alone.stderr).toBe(0);
    const whole = await rowsOf(join(machines.root, 'tinted'));
    const [, poison] = /sum (\d+)/.exec(alone.stderr) as RegExpExecArray;

    const out = join(machines.root, 'poisoned');
    const byQueue = [...args, '--queue', redis.url, '--root', machines.root, '--out', out];
    byQueue.push('--chunk', '4', '--max-errors', '0.5');
    const worker = start({ args: ['--plugin', plugin], env: { POISON: poison } });
    const ran = await sceneshift(byQueue, { machine: 'tint' });
    expect(ran.status, ran.stderr).toBe(0);
    const lines = (await readFile(join(out, 'errors.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(2);
    for (const { message } of lines) expect(message).toBe('set aside after 3 tries: this picture is poison');
    const left = new Set(lines.map(({ sample }) => sample));
    expect(await rowsOf(out)).toEqual(whole.filter(({ sample }) => !left.has(sample)));
    const shown = await sceneshift(['queue', '--queue', redis.url, '--seconds', '0.1']);
    expect(shown.stdout).toMatch(/1 set aside[\s\S]* after 3 tries: this picture is poison/);
    worker.child.kill('SIGTERM');
    await worker.ended;

    start({ args: ['--plugin', plugin], isApart: true });
    const later = await sceneshift(byQueue, { machine: 'tint' });
    expect(later.status, later.stderr).toBe(0);
    expect(await rowsOf(out)).toEqual(whole);
  });

  it('TLS and a password: rows as always, neither without certificate nor without password, nothing secret in the queue', async () => {
    const folder = temporaryFolder();
    const tls = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem'), ca: join(folder, 'cert.pem') };
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
    request.push('-addext', 'subjectAltName=DNS:localhost', '-keyout', tls.key, '-out', tls.cert);
    execFileSync('openssl', request, { stdio: 'ignore' });
    const password = 'not-to-be-seen-anywhere';
    const locked = await startRedis({ tls, password });
    const env = { NODE_EXTRA_CA_CERTS: tls.ca, SCENESHIFT_QUEUE_PASSWORD: password };
    const args = [...machines.args, '--root', machines.root, '--out', join(machines.root, 'secret')];
    args.push('--chunk', '5', '--no-report');
    const run = (given: NodeJS.ProcessEnv) => startSceneshift([...args, '--queue', locked.url], { env: given });
    try {
      const distrusting = await run({ SCENESHIFT_QUEUE_PASSWORD: password });
      expect([distrusting.status, distrusting.stderr]).toEqual([
        1,
        expect.stringMatching(/✗ No queue at rediss:\/\/localhost:\d+: .*certificate/),
      ]);
      const nameless = await run({ NODE_EXTRA_CA_CERTS: tls.ca });
      expect([nameless.status, nameless.stderr]).toEqual([
        1,
        expect.stringMatching(/✗ No queue at rediss:\/\/localhost:\d+: .*NOAUTH/),
      ]);
      const seen: string[] = [];
      const running = run(env);
      const look = new Redis({
        host: 'localhost',
        port: Number(new URL(locked.url).port),
        password,
        tls: { ca: await readFile(tls.ca), servername: 'localhost' },
      });
      const see = async () => {
        for (const key of await look.keys('*')) seen.push(key, (await look.dump(key).catch(() => null)) ?? '');
      };
      // All chunks wait there until somebody takes them.
      let isOver = false;
      const over = () => (isOver = true);
      running.then(over, over);
      while (seen.length < 10 && !isOver) {
        seen.length = 0;
        await wait(50);
        await see();
      }
      const worker = start({ env }, locked.url);
      await worker.says('answers in');
      await see();
      look.disconnect();
      const ran = await running;
      expect(ran.status, ran.stderr).toBe(0);
      expect(await rowsOf(join(machines.root, 'secret'))).toEqual(machines.whole);
      expect(seen.length).toBeGreaterThanOrEqual(10);
      expect(seen.join('\n')).not.toContain(password);
      expect(
        ran.stderr + (await startSceneshift(['queue', '--queue', locked.url, '--seconds', '0.1'], { env })).stdout,
      ).not.toContain(password);
    } finally {
      await locked.stop();
    }
  });
});
