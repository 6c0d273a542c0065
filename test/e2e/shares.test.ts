import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sceneshift, sceneshiftEach } from '../support/cli.ts';
import { type ManyMachines, manyMachines, type StartedWorker } from '../support/many-machines.ts';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.ts';
import { featureShards, type SharedCase, sharedCases, sharedCommands } from '../support/shared-cases.ts';

describe('render, train, explain, generate and mine in shares', () => {
  let machines: ManyMachines;
  let redis: TestRedis;
  let cases: Record<string, SharedCase>;
  const painter = fileURLToPath(new URL('../fixtures/diffusion/sd15', import.meta.url));

  beforeAll(async () => {
    if (hasRedis) redis = await startRedis();
    // More than one share of each command for a queue.
    machines = await manyMachines({ perClass: 6 });
    const { root, data, model } = machines;
    await cp(painter, join(root, 'sd15'), { recursive: true });
    // Pictures that are files: a network's features are taken of those.
    const plain = ['run', '--data', data, '--model', model, '--scenarios', 'original', '--no-controls'];
    const ran = await sceneshift([...plain, '--no-report', '--threads', '1', '--out', join(root, 'plain')]);
    expect(ran.status, ran.stderr).toBe(0);
    cases = sharedCases({ data, model, painter: join(root, 'sd15'), whole: join(root, 'whole') });
  });
  afterAll(async () => {
    await machines.stop();
    await redis?.stop();
  });

  /** `mine` works in the run folder itself. */
  const prepare = async (command: string, out: string) => {
    const { run } = cases[command];
    if (run) await cp(join(machines.root, run), out, { recursive: true });
    else await mkdir(out, { recursive: true });
    return out;
  };
  const argsOf = (command: string, out: string, ...more: string[]) => [
    ...cases[command].args(out),
    ...['--threads', '1', '--json', ...more],
  ];
  const call = async (command: string, out: string, ...more: string[]) => {
    const ran = await sceneshift(argsOf(command, out, ...more), { cwd: machines.root });
    expect(ran.status, ran.stderr).toBe(0);
    return ran;
  };
  const alone = new Map<string, Promise<unknown>>();
  /** What one process makes of it, asked once. */
  const single = (command: string) => {
    const known = alone.get(command);
    if (known) return known;
    const made = (async () => {
      const out = await prepare(command, join(machines.root, `${command}-single`));
      return cases[command].results(out, (await call(command, out)).stdout);
    })();
    alone.set(command, made);
    return made;
  };

  it.each(sharedCommands)('%s: shares 1/3 to 3/3, joined, are what one process makes', async (command) => {
    const { root } = machines;
    const parts = [1, 2, 3].map((i) => join(root, `${command}-part-${i}`));
    for (const part of parts) await prepare(command, part);
    const whole = join(root, `${command}-joined`);
    const ran = await sceneshiftEach(
      [
        ...parts.map((part, i) => argsOf(command, part, '--shard', `${i + 1}/3`)),
        ['merge', ...parts, '--out', whole],
        argsOf(command, whole),
      ],
      { cwd: root },
    );
    for (const { status, stderr } of ran) expect(status, stderr).toBe(0);
    const { stdout, stderr } = ran[4];
    expect(await cases[command].results(whole, stdout)).toEqual(await single(command));
    // Nothing was left to be done.
    if (command === 'explain') expect(stderr).toContain('0 to do');
    if (command === 'render') expect(JSON.parse(stdout)).toMatchObject({ found: 72, variants: 72 });
    if (command === 'train') expect(JSON.parse(stdout).computed).toBe(0);
    if (command === 'generate') expect(JSON.parse(stdout)).toMatchObject({ found: 10, made: 0 });
    if (command === 'mine --backbone') expect(await featureShards(whole)).toHaveLength(3);
  });

  it('mine: what is not made of samples is not shared', async () => {
    const { status, stderr } = await sceneshift([
      'mine',
      join(machines.root, 'whole'),
      '--surrogates',
      'net',
      '--shard',
      '1/2',
    ]);
    expect(status).toBe(2);
    expect(stderr).toContain('only the attack and a network');
  });

  describe.skipIf(!hasRedis)('by a queue (needs redis-server: apt-get install redis-server)', () => {
    /** They stay for all commands, as they would. */
    const workers: StartedWorker[] = [];
    const sharesDone = () =>
      workers.reduce((sum, { said }) => sum + (said().match(/(a share|answers) in .* s$/gm)?.length ?? 0), 0);

    it.each(sharedCommands)('%s: two workers make what one process makes', async (command) => {
      const { root } = machines;
      const out = await prepare(command, join(root, `${command}-queue`));
      while (workers.length < 2) workers.push(machines.startWorker(redis.url));
      const before = sharesDone();
      const { stdout, stderr } = await call(command, out, '--queue', redis.url, '--root', root);
      await expect.poll(sharesDone, { timeout: 60_000 }).toBeGreaterThan(before + 1);
      expect(stderr).not.toContain('set aside');
      expect(await cases[command].results(out, stdout)).toEqual(await single(command));
      expect(await readFile(join(out, '.queue'), 'utf8').catch(() => 'gone')).toBe('gone');
    });
  });
});
