import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { fingerprints, sceneshift, sceneshiftEach, temporaryFolder } from '../support/cli.ts';
import { type MadeDataset, makeDataset } from '../support/dataset.ts';
import { plainNet } from '../support/onnx.ts';

// A random Stable Diffusion of the real layout: what it paints means nothing, how it gets there does.
const model = fileURLToPath(new URL('../fixtures/diffusion/sd15', import.meta.url));

describe('generate', () => {
  const args = (out: string, ...more: string[]) => {
    const painted = ['generate', '--diffusion', model, '--steps', '2', '--prompt', 'a wet street'];
    return [...painted, '--out', out, ...more];
  };
  const generate = (out: string, ...more: string[]) => sceneshift(args(out, ...more));

  it('writes so many pictures with how each was made, and finds them again', async () => {
    const out = join(temporaryFolder(), 'pictures');
    const { status, stdout, stderr } = await generate(out, '--count', '3', '--seed', '7', '--json');
    expect(status, stderr).toBe(0);
    const { images } = JSON.parse(stdout);
    expect(images).toHaveLength(3);
    expect(images[1]).toMatchObject({
      provider: 'diffusion',
      model: 'sd15',
      prompt: 'a wet street',
      seed: 8,
      width: 64,
      height: 64,
      settings: { scheduler: 'ddim', steps: 2, guidance: 7.5 },
    });
    const before = await fingerprints(out);
    const pictures = Object.entries(before).filter(([name]) => name.endsWith('.png'));
    expect(pictures).toHaveLength(3);
    expect(new Set(pictures.map(([, hash]) => hash)).size).toBe(3);
    // Beside each its record; a manifest that run --data reads.
    expect(Object.keys(before).filter((name) => name.endsWith('.json'))).toHaveLength(3);
    expect(Object.keys(before)).toContain('manifest.csv');
    expect(await generate(out, '--count', '3', '--seed', '7', '--threads', '1')).toMatchObject({ status: 0 });
    expect(await fingerprints(out)).toEqual(before);
  });

  it('says what is wrong in one line', async () => {
    const out = temporaryFolder();
    const wrong = [
      [['--diffusion', out], /is not a diffusion model: it has no model_index.json/],
      [['--scheduler', 'heun'], /Expected .* for --scheduler but received 'heun'/],
      [['--count', '0'], /Expected a whole number, 1 or more for --count/],
      [['--keep', 'mask.png'], /Expected a picture for --image/],
    ] as const;
    const ran = await sceneshiftEach(wrong.map(([more]) => args(out, ...more)));
    for (const [i, [, message]] of wrong.entries()) {
      const { status, stderr } = ran[i];
      expect(status, stderr).toBe(2);
      expect(stderr).toMatch(message);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });
});

describe('scenarios that are painted', () => {
  let home: string;
  let data: MadeDataset;
  let settings: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-diffusion-'));
    data = await makeDataset(join(home, 'data'), { perClass: 1 });
    for (const name of ['first', 'second']) {
      const layers = [{ channels: 8, kernel: 5, stride: 2 }];
      await writeFile(join(home, `${name}.onnx`), plainNet({ sizePx: 48, layers, outputs: 3, seed: name }));
      const record = { labels: ['disc', 'square', 'ring'], resize: { shortSide: 48, filter: 'bilinear' }, crop: 48 };
      await writeFile(join(home, `${name}.onnx.json`), JSON.stringify({ ...record, preprocessing: 'imagenet' }));
    }
    settings = join(home, 'sceneshift.yaml');
    const diffusion = { model, steps: 2, guidance: 2, surrogate: 'second' };
    await writeFile(
      settings,
      JSON.stringify({ data: data.manifest, models: ['./first.onnx', './second.onnx'], diffusion }),
    );
    return () => rm(home, { recursive: true, force: true });
  });
  const painted = 'generated-background,complexity-diffusion:-20,inversion,position:blend=diffusion';

  it('give the same bytes at any number of threads, from the model as from the cache', async () => {
    const out = temporaryFolder();
    const render = (to: string, cache: string, threads: number) =>
      sceneshift(
        [
          'render',
          '--config',
          settings,
          '--scenarios',
          painted,
          '--format',
          'png',
          '--out',
          join(out, to),
          '--threads',
          String(threads),
        ],
        { settings: { SCENESHIFT_CACHE: join(out, cache) } },
      );
    const first = await render('one', 'cache-1', 1);
    expect(first.status, first.stderr).toBe(0);
    expect(await render('two', 'cache-2', 2)).toMatchObject({ status: 0 });
    const one = await fingerprints(join(out, 'one'));
    expect(await fingerprints(join(out, 'two'))).toEqual(one);
    const inCache = await fingerprints(join(out, 'cache-1'));
    expect(Object.keys(inCache)).toHaveLength(4 * data.samples);
    expect(await render('again', 'cache-1', 2)).toMatchObject({ status: 0 });
    expect(await fingerprints(join(out, 'again'))).toEqual(one);
    expect(await fingerprints(join(out, 'cache-1'))).toEqual(inCache);
  });

  it('are answered, searched against the surrogate that is recorded, and found again', async () => {
    const out = join(temporaryFolder(), 'run');
    const run = (...more: string[]) =>
      sceneshift(
        [
          'run',
          '--config',
          settings,
          '--scenarios',
          'original,complexity-diffusion:lambda=20-adv+queries=3,inversion',
          '--out',
          out,
          '--threads',
          '1',
          '--json',
          ...more,
        ],
        { settings: { SCENESHIFT_CACHE: join(out, 'cache') } },
      );
    const { status, stdout, stderr } = await run('--no-report');
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ rows: 3 * 2 * data.samples, errors: 0 });
    const record = JSON.parse(await readFile(join(out, 'run.json'), 'utf8'));
    expect(record.painting).toMatchObject({ model: 'sd15', surrogate: { name: 'second', queries: 3 } });
    const shards = await readdir(join(out, 'predictions'));
    expect(await run()).toMatchObject({ status: 0 });
    expect(await readdir(join(out, 'predictions'))).toEqual(shards);
  });
});
