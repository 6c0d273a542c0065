import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withRunFolder } from '../../src/run/folder/index.ts';
import { fingerprints, sceneshift } from '../support/cli.ts';
import { type ManyMachines, manyMachines, rowsOf } from '../support/many-machines.ts';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.ts';

/** One way to do a command's work, in folders of its own: returns all that must be the same whoever did it. */
interface SharedCase {
  /** The command into a folder, with more options. */
  args(out: string): string[];
  /** What is there when it is through. */
  results(out: string, stdout: string): Promise<unknown>;
}

const only = (files: Record<string, string>, keep: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(files).filter(([name]) => keep(name)));

describe('render, train, explain, generate and mine in shares', () => {
  let machines: ManyMachines;
  let redis: TestRedis;
  let cases: Record<string, SharedCase>;
  const painter = fileURLToPath(new URL('../fixtures/diffusion/sd15', import.meta.url));

  beforeAll(async () => {
    if (hasRedis) redis = await startRedis();
    machines = await manyMachines({ perClass: 7 });
    const { root, data, model } = machines;
    await cp(painter, join(root, 'sd15'), { recursive: true });
    const scenarios = 'original,blur-background,random-background,size:0.05';
    cases = {
      // To the byte: pictures, masks, manifest, list.
      render: {
        args: (out) => ['render', '--data', data, '--scenarios', scenarios, '--out', out],
        results: (out) => fingerprints(out),
      },
      // To the byte: pictures and heads; rows and numbers to the bit.
      train: {
        args: (out) => [
          ...['train', '--data', data, '--backbone', model, '--scenarios', 'original,grey,random-background'],
          ...['--folds', '3', '--on', 'mix', '--out', out],
        ],
        async results(out, stdout) {
          const { scenarios: heads, matrix, differences, rows, errors, score } = JSON.parse(stdout);
          const training = await withRunFolder(out, (folder) => folder.rows('training'));
          const fitted = only(await fingerprints(out), (name) => name.startsWith('heads/'));
          expect(Object.keys(fitted).length).toBeGreaterThan(3);
          return { heads, matrix, differences, rows, errors, score, fitted, training, answers: await rowsOf(out) };
        },
      },
      explain: {
        args: (out) => [
          'explain',
          join(root, 'whole'),
          '--method',
          'rise',
          '--masks',
          '40',
          '--steps',
          '4',
          '--out',
          out,
        ],
        async results(out, stdout) {
          const { index, rows } = JSON.parse(stdout);
          const pictures = only(await fingerprints(out), (name) => !name.endsWith('.parquet'));
          expect(Object.keys(pictures).length).toBeGreaterThan(rows.length);
          return { index, rows, pictures };
        },
      },
      generate: {
        args: (out) => [
          ...['generate', '--diffusion', join(root, 'sd15'), '--steps', '2', '--prompt', 'a wet street'],
          ...['--prompt', 'a dry street', '--count', '10', '--out', out],
        ],
        async results(out, stdout) {
          const records = JSON.parse(stdout).images.map((record: { time: string }) => ({ ...record, time: '' }));
          const files = only(await fingerprints(out), (name) => /\.(png|csv)$/.test(name));
          expect(Object.keys(files)).toHaveLength(22);
          return { records, files };
        },
      },
      mine: {
        args: (run) => ['mine', run, '--attack', '--pictures', '18', '--queries', '30', '--epsilon', '24'],
        async results(run, stdout) {
          const outcomes = only(await fingerprints(run), (name) => name.startsWith('attack/'));
          expect(Object.keys(outcomes)).toHaveLength(18);
          return { ...JSON.parse(stdout), outcomes };
        },
      },
    };
  });
  afterAll(async () => {
    await machines.stop();
    await redis?.stop();
  });

  const commands = ['render', 'train', 'explain', 'generate', 'mine'] as const;

  /** `mine` works in the run folder itself. */
  const prepare = async (command: string, out: string) => {
    if (command === 'mine') await cp(join(machines.root, 'whole'), out, { recursive: true });
    else await mkdir(out, { recursive: true });
    return out;
  };
  const call = async (command: string, out: string, ...more: string[]) => {
    const ran = await sceneshift([...cases[command].args(out), '--threads', '1', '--json', ...more], {
      cwd: machines.root,
    });
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

  it.each(commands)('%s: shares 1/3 to 3/3, joined, are what one process makes', async (command) => {
    const { root } = machines;
    const parts = [];
    for (let i = 1; i <= 3; i++) {
      const part = await prepare(command, join(root, `${command}-part-${i}`));
      await call(command, part, '--shard', `${i}/3`);
      parts.push(part);
    }
    const whole = join(root, `${command}-joined`);
    const merged = await sceneshift(['merge', ...parts, '--out', whole]);
    expect(merged.status, merged.stderr).toBe(0);
    const { stdout, stderr } = await call(command, whole);
    expect(await cases[command].results(whole, stdout)).toEqual(await single(command));
    // Nothing was left to be done.
    if (command === 'explain') expect(stderr).toContain('0 to do');
    if (command === 'render') expect(JSON.parse(stdout)).toMatchObject({ found: 84, variants: 84 });
    if (command === 'train') expect(JSON.parse(stdout).computed).toBe(0);
    if (command === 'generate') expect(JSON.parse(stdout)).toMatchObject({ found: 20, made: 0 });
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
    expect(stderr).toContain('only the attack is made of samples');
  });

  describe.skipIf(!hasRedis)('by a queue (needs redis-server: apt-get install redis-server)', () => {
    it.each(commands)('%s: two workers make what one process makes', async (command) => {
      const { root } = machines;
      const out = await prepare(command, join(root, `${command}-queue`));
      const workers = [machines.startWorker(redis.url), machines.startWorker(redis.url)];
      const { stdout, stderr } = await call(command, out, '--queue', redis.url, '--root', root);
      for (const { child } of workers) child.kill('SIGTERM');
      const ends = await Promise.all(workers.map(({ ended }) => ended));
      const counts = ends.map(({ stdout: text }) => Number(/in (\d+) chunks/.exec(text)?.[1]));
      expect(counts[0] + counts[1], ends.map((end) => end.stderr).join()).toBeGreaterThan(1);
      expect(stderr).not.toContain('set aside');
      expect(await cases[command].results(out, stdout)).toEqual(await single(command));
      expect(await readFile(join(out, '.queue'), 'utf8').catch(() => 'gone')).toBe('gone');
    });
  });
});
