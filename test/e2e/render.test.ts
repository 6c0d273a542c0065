import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeImage } from '../../src/image/decode.ts';
import { makeBadFiles } from '../support/bad-files.ts';
import { fingerprints, sceneshift, sceneshiftEach, startSceneshift, temporaryFolder } from '../support/cli.ts';
import { type MadeDataset, makeDataset } from '../support/dataset.ts';

describe('render', () => {
  let data: MadeDataset;
  let home: string;
  /** A finished rendering of two threads that tests read, or go on with in a copy. */
  let whole: string;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-render-'));
    data = await makeDataset(join(home, 'data'), { perClass: 3 });
    whole = join(home, 'whole');
    expect(await render(whole, '--threads', '2')).toMatchObject({ status: 0 });
    return () => rm(home, { recursive: true, force: true });
  });

  const renderArgs = (out: string, ...more: string[]) => [
    ...['render', '--data', data.manifest, '--scenarios', 'ximagenet-12,size:0.05,direction', '--out', out],
    ...['--seed', '7', ...(more.includes('--threads') ? [] : ['--threads', '1']), ...more],
  ];
  const render = (out: string, ...more: string[]) => sceneshift(renderArgs(out, ...more));

  it('gives the same bytes for the same seed at any number of threads, and others for another seed', async () => {
    const out = temporaryFolder();
    expect(await render(join(out, 'one'), '--threads', '1')).toMatchObject({ status: 0 });
    const other = ['render', '--data', data.manifest, '--scenarios', 'tint-red', '--seed', '8', '--threads', '1'];
    expect(await sceneshift([...other, '--out', join(out, 'other')])).toMatchObject({ status: 0 });
    const one = await fingerprints(join(out, 'one'));
    expect(Object.keys(one).length).toBeGreaterThan(data.samples * 16);
    expect(await fingerprints(whole)).toEqual(one);
    expect((await fingerprints(join(out, 'other')))['tint-red/images/disc/disc_0.png']).not.toBe(
      one['tint-red/images/disc/disc_0.png'],
    );
  });

  it('killed again and again and continued, equals one uninterrupted run byte for byte', async () => {
    const out = join(temporaryFolder(), 'killed');
    let kills = 0;
    for (const afterImages of [3, 30, 80]) {
      const { status } = await startSceneshift(renderArgs(out), {
        onStart(child) {
          const watch = setInterval(async () => {
            const there = await readdir(out, { recursive: true }).catch(() => []);
            if (there.length < afterImages || child.exitCode !== null) return;
            clearInterval(watch);
            child.kill('SIGKILL');
          }, 5);
          child.on('exit', () => clearInterval(watch));
        },
      });
      if (status === null) kills++;
    }
    expect(kills).toBeGreaterThan(0);
    expect(await render(out)).toMatchObject({ status: 0 });
    expect(await fingerprints(out)).toEqual(await fingerprints(whole));
  });

  it('reads its own manifest back', async () => {
    const { stdout, status } = await sceneshift(['dataset', 'check', join(whole, 'manifest.csv'), '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ samples: data.samples * 16, problems: [] });
  });

  it('writes the layouts ximagenet-12, imagenet-e and imagefolder, which are read back', async () => {
    const home = temporaryFolder();
    const layouts = ['ximagenet-12', 'imagenet-e', 'imagefolder'];
    const ran = await sceneshiftEach(
      layouts.flatMap((layout) => [
        renderArgs(join(home, layout), '--layout', layout),
        ['dataset', 'check', join(home, layout, 'manifest.csv'), '--json'],
      ]),
    );
    for (const [i, layout] of layouts.entries()) {
      expect(ran[2 * i], layout).toMatchObject({ status: 0 });
      expect(JSON.parse(ran[2 * i + 1].stdout), layout).toMatchObject({ samples: data.samples * 16, problems: [] });
    }
  });

  it('keeps the object to the pixel where it promises to', async () => {
    const raw = (path: string) => sharp(join(whole, path)).removeAlpha().raw().toBuffer();
    const mask = await sharp(join(whole, 'masks/original/images/ring/ring_2.png')).extractChannel(0).raw().toBuffer();
    const [original, edited] = [
      await raw('original/images/ring/ring_2.png'),
      await raw('tint-blue/images/ring/ring_2.png'),
    ];
    let [object, background] = [0, 0];
    for (let i = 0; i < original.length; i++) {
      if (original[i] !== edited[i]) mask[Math.floor(i / 3)] ? object++ : background++;
    }
    expect(object).toBe(0);
    expect(background).toBeGreaterThan(1000);
  });

  it('will not mix two settings in one folder', async () => {
    const out = join(temporaryFolder(), 'rendered');
    await cp(whole, out, { recursive: true });
    expect(await render(out, '--seed', '8')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('other settings (seed)'),
    });
  });

  it('gives every bad file a line of its own, and renders the rest', async () => {
    const home = temporaryFolder();
    const bad = await makeBadFiles(join(home, 'data'));
    const out = join(home, 'rendered');
    const { status, stdout } = await sceneshift([
      'render',
      '--data',
      bad.manifest,
      '--scenarios',
      'blur-background,segmented',
      '--out',
      out,
      '--max-errors',
      '1',
      '--json',
    ]);
    expect(status).toBe(0);
    const { problems, variants } = JSON.parse(stdout);
    const found = Object.fromEntries(
      problems.map(({ sample, problem }: { sample: string; problem: string }) => [sample, problem]),
    );
    expect(found).toEqual(bad.expected);
    expect(problems).toHaveLength(Object.keys(bad.expected).length);
    expect(new Set(problems.map(({ message }: { message: string }) => message)).size).toBe(problems.length);
    expect(variants).toBe(2 * bad.usable);
    const lines = (await readFile(join(out, 'errors.jsonl'), 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(problems.length);
  });

  it('tells of a damaged file its own reason, whatever other threads find meanwhile', async () => {
    const files = fileURLToPath(new URL('../fixtures/image/files/', import.meta.url));
    const names = (await readdir(files)).filter((name) => /^(truncated|cut-)/.test(name));
    const folder = join(temporaryFolder(), 'photos');
    for (let copy = 0; copy < 6; copy++)
      for (const name of names) await cp(join(files, name), join(folder, 'class', `${copy}-${name}`));
    await cp(join(files, 'rgb.png'), join(folder, 'class', 'good.png'));
    const out = join(folder, '..', 'rendered');
    const asked = ['render', '--data', folder, '--scenarios', 'grey', '--out', out, '--threads', '3'];
    expect(await sceneshift([...asked, '--max-errors', '1'])).toMatchObject({ status: 0 });
    const told: Record<string, Set<string>> = {};
    for (const line of (await readFile(join(out, 'errors.jsonl'), 'utf8')).trim().split('\n')) {
      const { file, message } = JSON.parse(line);
      const name = basename(file).replace(/^\d-/, '');
      told[name] ??= new Set();
      told[name].add(message.replace(file, name));
    }
    expect(Object.keys(told).sort()).toEqual(names.sort());
    for (const name of names) {
      const alone = await decodeImage(join(files, name)).catch((error: Error) => error.message);
      expect(told[name]).toEqual(new Set([String(alone).replace(join(files, name), name)]));
    }
  });

  it('stops where too much is wrong, with the first reasons', async () => {
    const home = temporaryFolder();
    const bad = await makeBadFiles(join(home, 'data'));
    const { status, stderr } = await sceneshift([
      'render',
      '--data',
      bad.manifest,
      '--scenarios',
      'grey',
      '--out',
      join(home, 'rendered'),
    ]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/samples failed, more than --max-errors 0.1 allows/);
  });

  it('says what it looked for where there is no dataset', async () => {
    const home = temporaryFolder();
    await mkdir(join(home, 'empty'));
    await writeFile(join(home, 'empty', 'readme.txt'), 'nothing here');
    const { status, stderr } = await sceneshift([
      'render',
      '--data',
      join(home, 'empty'),
      '--scenarios',
      'grey',
      '--out',
      join(home, 'out'),
    ]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^✗ No dataset layout fits .*empty; looked for:\n {2}manifest/);
  });
});
