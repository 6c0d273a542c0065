import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { fingerprints, sceneshift, startSceneshift, temporaryFolder } from '../support/cli.ts';
import { type MadeDataset, makeDataset } from '../support/dataset.ts';
import { plainNet } from '../support/onnx.ts';

const program = fileURLToPath(new URL('../fixtures/models/network-program.mjs', import.meta.url));

/** Acts once, when the command has said something. */
function whenSaid(child: ChildProcess, pattern: RegExp, act: () => void): void {
  let said = '';
  let done = false;
  child.stderr?.on('data', (text) => {
    said += text;
    if (done || !pattern.test(said)) return;
    done = true;
    act();
  });
}

describe('interrupted', () => {
  let data: MadeDataset;
  let home: string;
  let slow: string;
  let quick: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-interrupt-'));
    data = await makeDataset(join(home, 'data'), { perClass: 30, width: 48, height: 48 });
    quick = join(home, 'network.onnx');
    await writeFile(quick, plainNet({ sizePx: 48, layers: [{ channels: 8, kernel: 5, stride: 2 }], outputs: 3 }));
    const record = { labels: ['disc', 'square', 'ring'], resize: { shortSide: 48 }, crop: 48 };
    await writeFile(`${quick}.json`, JSON.stringify({ ...record, preprocessing: 'imagenet' }));
    slow = `command:"${process.execPath}" "${program}" "${quick}" tensor 400 slow`;
    return () => rm(home, { recursive: true, force: true });
  });
  const ask = (model: string, out: string, more: string[], onStart?: (child: ChildProcess) => void) => {
    const args = ['run', '--data', data.manifest, '--model', model, '--scenarios', 'original', '--threads', '1'];
    const call = [...args, '--no-report', '--out', out, '--json', ...more];
    return onStart ? startSceneshift(call, { onStart }) : sceneshift(call);
  };
  const run = (out: string, more: string[] = [], onStart?: (child: ChildProcess) => void) =>
    ask(slow, out, more, onStart);
  const runQuickly = (out: string, more: string[] = []) => ask(quick, out, more);
  const short = ['--limit', '5'];

  it('once, a run ends within a batch and goes on from there', async () => {
    const out = join(temporaryFolder(), 'run');
    const { status, stderr } = await run(out, [], (child) =>
      whenSaid(child, /answers to come/, () => child.kill('SIGINT')),
    );
    expect(status, stderr).toBe(130);
    expect(stderr).toContain('Interrupted; the same command goes on from here');
    expect(JSON.parse(await readFile(join(out, 'run.json'), 'utf8'))).toMatchObject({ finished: null });
    const again = await run(out, short);
    expect(again.status, again.stderr).toBe(0);
    expect(existsSync(join(out, '.lock'))).toBe(false);
  });

  it('twice, it ends at once, by the signal and not by a crash', async () => {
    const out = join(temporaryFolder(), 'run');
    const { status, stderr } = await run(out, [], (child) => {
      whenSaid(child, /answers to come/, () => child.kill('SIGTERM'));
      whenSaid(child, /again: stop at once/, () => child.kill('SIGTERM'));
    });
    expect([null, 130], stderr).toContain(status);
    expect((await run(out, short)).status).toBe(0);
  });

  it('lets one process at a time into a folder, and notices when it is deleted', async () => {
    const out = join(temporaryFolder(), 'run');
    let second: ReturnType<typeof run> | undefined;
    const first = await run(out, [], (child) =>
      whenSaid(child, /answers to come/, () => {
        second = run(out);
        second.then(() => rm(out, { recursive: true, force: true }));
      }),
    );
    const refused = await second;
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('is being written to by process') });
    expect(first.status).toBe(1);
    expect(first.stderr).toContain('was deleted or moved while it was written to');
  });

  it('refuses other data, an empty --out, and one inside the data', async () => {
    const out = join(temporaryFolder(), 'run');
    expect((await runQuickly(out, short)).status).toBe(0);
    const other = await makeDataset(join(home, 'other'), { perClass: 4, width: 40, height: 40 });
    const before = await readdir(join(out, 'predictions'));
    const mixed = await runQuickly(out, ['--data', other.manifest]);
    expect(mixed).toMatchObject({ status: 2, stderr: expect.stringContaining('holds answers about other data') });
    expect(await readdir(join(out, 'predictions'))).toEqual(before);
    expect(await runQuickly('')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("a value for --out but received ''"),
    });
    const inside = await runQuickly(join(other.folder, 'images', 'run'), ['--data', join(other.folder, 'images')]);
    expect(inside).toMatchObject({ status: 2, stderr: expect.stringContaining('outside the dataset') });
  });

  it('says before it replaces rows that another seed made', async () => {
    const out = join(temporaryFolder(), 'run');
    await runQuickly(out, short);
    const { stderr } = await runQuickly(out, [...short, '--seed', '5']);
    expect(stderr).toContain('! 5 stored rows made with other settings or pictures (seed 0 → 5) will be replaced');
  });

  const renderArgs = (out: string, from = data.manifest) => [
    ...['render', '--data', from, '--scenarios', 'original,grey,size:0.05', '--threads', '1', '--out', out, '--json'],
  ];
  const render = (out: string, from?: string) => sceneshift(renderArgs(out, from));

  /** Interrupted as soon as something is rendered. A busy machine may be through before the signal comes: then once more. */
  const interruptedRender = async (tries = 10): Promise<Awaited<ReturnType<typeof render>> & { out: string }> => {
    const out = join(temporaryFolder(), 'rendered');
    const ended = await startSceneshift(renderArgs(out), {
      onStart(child) {
        const watch = setInterval(() => {
          if (!existsSync(join(out, '.rendered.jsonl'))) return;
          clearInterval(watch);
          child.kill('SIGINT');
        }, 5);
        child.on('close', () => clearInterval(watch));
      },
    });
    const whole = ended.status === 0 && JSON.parse(ended.stdout).variants === 3 * data.samples;
    return whole && tries > 1 ? interruptedRender(tries - 1) : { ...ended, out };
  };

  it('a rendering says so, lists nothing, and goes on', async () => {
    const { status, stderr, stdout, out } = await interruptedRender();
    expect(status, stderr).toBe(130);
    expect(stdout).toBe('');
    expect(existsSync(join(out, 'manifest.csv'))).toBe(false);
    expect((await render(out)).status).toBe(0);
    const whole = join(temporaryFolder(), 'whole');
    expect((await render(whole)).status).toBe(0);
    expect(await fingerprints(out)).toEqual(await fingerprints(whole));
  });

  it('a rendering follows its pictures and masks', async () => {
    const folder = temporaryFolder();
    const own = await makeDataset(join(folder, 'data'), { perClass: 2 });
    const out = join(folder, 'rendered');
    const first = JSON.parse((await render(out, own.manifest)).stdout);
    expect(first).toMatchObject({ variants: 18, found: 0, interrupted: false });
    const before = await fingerprints(out);
    await sharp({ create: { width: 96, height: 72, channels: 3, background: '#27c' } })
      .jpeg()
      .toFile(join(own.folder, 'images/disc/disc_0.jpg'));
    const again = JSON.parse((await render(out, own.manifest)).stdout);
    expect(again).toMatchObject({ variants: 18, found: 15 });
    const after = await fingerprints(out);
    const changed = Object.keys(after).filter((path) => /\.png$/.test(path) && after[path] !== before[path]);
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.every((path) => path.includes('disc_0'))).toBe(true);
    // A sample that is no more leaves nothing behind.
    const rows = (await readFile(own.manifest, 'utf8')).trim().split('\n');
    await writeFile(own.manifest, `${rows.filter((row) => !row.includes('ring_1')).join('\n')}\n`);
    expect(JSON.parse((await render(out, own.manifest)).stdout)).toMatchObject({ variants: 15 });
    expect(Object.keys(await fingerprints(out)).filter((path) => path.includes('ring_1'))).toEqual([]);
  });
});
