import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainNet } from '../../../test/support/onnx.ts';
import type { NamedChoice } from '../../contracts/published.ts';
import { readDataset } from '../../dataset/index.ts';
import { describeModel } from '../../models/open.ts';
import { openRunStore, withRunFolder } from '../../run/folder/index.ts';
import { executeRun } from '../../run/run.ts';
import { parseScenarioList } from '../../scenarios/name.ts';
import { scorePath, scoreRun } from '../score-run.ts';
import { imagenetD } from './imagenet-d.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'as-published-'));
});
afterAll(() => rm(home, { recursive: true }));

/** As many pictures of a nuisance as the paper has, so many of them right. */
function answers(scenario: string, pictures: number, share: number, named?: NamedChoice[]) {
  const right = Math.round(pictures * share);
  return Array.from({ length: pictures }, (_, i) => ({
    ...{ model: 'm', trained: '', scenario, sample: `${scenario}/${i}`, group: '', label: 'mug', fold: -1 },
    ...{ prediction: i < right ? 'mug' : 'vase', probability: null, probabilityTruth: null },
    ...{ rankTruth: named ? null : i < right ? 1 : 9, correct: i < right, correctOwn: i < right },
    ...{ condition: scenario, sampleHash: 's', named: named?.[i], acceptedInFive: null },
  }));
}

async function runOf(name: string, rows: ReturnType<typeof answers>) {
  const run = join(home, name);
  const store = await openRunStore(run);
  const published = rows.flatMap(({ named = null, ...row }) => (named ? [{ ...row, named }] : []));
  if (published.length) await store.write('published', published);
  await store.write('predictions', rows);
  store.close();
  return run;
}

describe('the published table', async () => {
  const file = new URL('../../../test/fixtures/metrics/imagenet-d-plot.json', import.meta.url);
  const { images, rows } = JSON.parse(await readFile(file, 'utf8')) as {
    images: Record<string, number>;
    rows: { model: string; accuracy: number[]; overall: number; drop: number; printedDrop?: number }[];
  };
  const nuisances = ['background', 'texture', 'material'];

  const table = ([before, ...after]: number[]) =>
    new Map([
      ['original', { accuracy: before / 100, n: 1000 }],
      ...nuisances.map((name, i) => [name, { accuracy: after[i] / 100, n: images[name] }] as const),
    ]);

  it.each(rows)('$model: every picture counts once', ({ accuracy, overall, drop, printedDrop }) => {
    const measured = imagenetD(table(accuracy));
    // The cells are rounded to a tenth of a point.
    expect(Math.abs(100 * (measured?.overall ?? 0) - overall)).toBeLessThan(0.1);
    expect(Math.abs(100 * (measured?.drop ?? 0) - drop)).toBeLessThan(0.1);
    // Cells measured from a plot against what the paper prints.
    if (printedDrop !== undefined) expect(Math.abs(100 * (measured?.drop ?? 0) - printedDrop)).toBeLessThan(0.35);
  });

  it('comes out of the answers to all 4835 pictures too', async () => {
    const { accuracy } = rows[1];
    const [before, ...after] = accuracy.map((percent) => percent / 100);
    const run = await runOf('llava', [
      ...answers('original', 1000, before),
      ...nuisances.flatMap((name, i) => answers(name, images[name], after[i])),
    ]);
    const { models, asPublished: [counted] = [] } = await scoreRun(run, { asPublished: true, bootstrap: 20 });
    expect(counted.overall).toMatchObject({ pictures: 4835, dropped: 0 });
    expect(Math.abs(100 * (counted.drop ?? 0) - 29.67)).toBeLessThan(0.3);
    const measured = models[0].measures?.imagenetD as { overall: number; drop: number };
    expect(measured.overall).toBeCloseTo(counted.overall.top1 ?? 0, 12);
    expect(measured.drop).toBeCloseTo(counted.drop ?? 0, 12);
  });
});

describe('the quirks', () => {
  it('leave unclear answers out; ours count them as not right', async () => {
    const named: NamedChoice[] = ['truth', 'truth', 'distractor', 'both', 'neither'];
    const run = await runOf('choices', answers('background', 5, 0.2, named));
    const { models, asPublished } = await scoreRun(run, { asPublished: true });
    expect(asPublished?.[0].overall).toEqual({ pictures: 5, dropped: 2, top1: 2 / 3, top5: null });
    expect(models[0].scenarios[0]).toMatchObject({ n: 5, top1: 1 / 5 });
    expect((await scoreRun(run)).asPublished).toBeUndefined();
  });

  it('count a picture once per accepted output in top-5, from a real run', async () => {
    for (const [i, name] of ['a.png', 'b.png', 'c.png'].entries()) {
      const noise = { type: 'gaussian', mean: 60 + 60 * i, sigma: 40 } as const;
      const create = { width: 24, height: 24, channels: 3, background: '#000', noise } as const;
      await writeFile(join(home, name), await sharp({ create }).png().toBuffer());
    }
    // Of six outputs three are accepted: at least two are always among the first five.
    const manifest = join(home, 'manifest.csv');
    await writeFile(manifest, 'image,label,target\na.png,chair,0|1|2\nb.png,chair,0|1|2\nc.png,mug,3\n');
    await writeFile(join(home, 'net.onnx'), plainNet({ sizePx: 24, layers: [{ channels: 4, kernel: 3 }], outputs: 6 }));
    const dataset = await readDataset(manifest, {});
    const spec = {
      model: join(home, 'net.onnx'),
      preprocessing: { resize: null, crop: null, scale: 1 / 255, mean: 0, std: 1 },
    };
    const { run } = await executeRun({
      dataset,
      samples: dataset.samples,
      foldOf: () => -1,
      models: [{ spec, description: await describeModel(spec, { classes: dataset.classes }) }],
      scenarios: parseScenarioList('original'),
      scenariosNamed: false,
      seed: 0,
      photographs: { mode: 'pillow', flatten: [255, 255, 255], maxPixels: 1e6, border: 'ignore' },
      version: 'test',
      threads: 1,
      config: {},
      maxErrors: 0,
      out: join(home, 'real'),
    });
    const [stored, answered] = await withRunFolder(run, (folder) =>
      Promise.all([folder.rows('published'), folder.rows('predictions')]),
    );
    expect(stored.map(({ sample }) => sample)).toEqual(['a.png', 'b.png']);
    const hits = stored.reduce((sum, row) => sum + (row.acceptedInFive ?? 0), 0);
    expect(hits).toBeGreaterThanOrEqual(4);
    const mug = (answered.find(({ label }) => label === 'mug')?.rankTruth ?? 9) <= 5 ? 1 : 0;
    const { models, asPublished: [counted] = [] } = await scoreRun(run, { asPublished: true });
    expect(counted.overall).toMatchObject({ pictures: 3, dropped: 0, top5: (hits + mug) / 3 });
    expect(models[0].scenarios[0].top5).toBeCloseTo((2 + mug) / 3, 12);
  });

  it('need a run folder', async () => {
    const csv = join(home, 'answers.csv');
    await writeFile(csv, 'model,scenario,sample,label,prediction\nm,original,1,mug,mug\n');
    await expect(scorePath(csv, { asPublished: true })).rejects.toThrow(/a run folder for --as-published/);
  });
});
