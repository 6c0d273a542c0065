import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeDataset } from '../../test/support/dataset.ts';
import { plainNet } from '../../test/support/onnx.ts';
import { readDataset } from '../dataset/index.ts';
import { describeModel } from '../models/open.ts';
import { executeRun } from '../run/run.ts';
import { parseScenarioList } from '../scenarios/name.ts';
import { type ExplainOptions, explainRun } from './explain.ts';
import { explainJob } from './explain-job.ts';
import { defaultSettings } from './options.ts';
import { readSaliency } from './read.ts';
import { attentionSentences } from './summary/attention-sentences.ts';
import { summariseSaliency } from './summary/summarise.ts';

let home: string;
let options: ExplainOptions;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-explain-run-'));
  const { manifest } = await makeDataset(join(home, 'data'), { perClass: 3, width: 64, height: 48 });
  const models = [];
  for (const name of ['first', 'second']) {
    const model = join(home, `${name}.onnx`);
    const layers = [{ channels: 6, kernel: 5, stride: 4 }];
    await writeFile(model, plainNet({ sizePx: 32, layers, outputs: 3, seed: name }));
    const spec = {
      model,
      labels: ['disc', 'square', 'ring'],
      preprocessing: { preprocessing: 'imagenet' as const, resize: { shortSide: 36 }, crop: 32 },
    };
    models.push({ spec, description: await describeModel(spec) });
  }
  const dataset = await readDataset(manifest);
  const run = join(home, 'run');
  const shared = {
    dataset,
    samples: dataset.samples,
    foldOf: () => -1,
    models,
    scenarios: parseScenarioList('original,blur-background,grey'),
    scenariosNamed: true,
    seed: 1,
    photographs: { mode: 'corrected', flatten: [255, 255, 255], maxPixels: 1e7, border: 'ignore' },
    version: 'test',
    threads: 1,
    maxErrors: 0,
    out: run,
  } as const;
  await executeRun({ ...shared, config: {} });
  options = {
    ...shared,
    run,
    wanted: { perClass: 2 },
    method: 'auto',
    settings: { ...defaultSettings, steps: 4, masks: 20 },
  };
}, 60_000);

afterAll(() => rm(home, { recursive: true, force: true }));

describe('explainRun', () => {
  it('explains a sample of each class under every scenario and model, and finds it all again', async () => {
    const first = await explainRun(options);
    expect(first).toMatchObject({ computed: 36, errors: [] });
    expect(first.index.models.map(({ method }) => method)).toEqual(['cam', 'cam']);
    expect(first.index.selection).toMatchObject({ kind: 'stratified' });
    const before = await readSaliency(options.out);
    expect(before?.rows).toHaveLength(36);
    for (const row of before?.rows ?? []) {
      expect(row.objectShown).toBeGreaterThan(0);
      expect(row.deletion).toBeGreaterThanOrEqual(0);
    }
    const pictures = await readdir(join(options.out, 'saliency/pictures/first/blur-background'));
    expect(pictures).toHaveLength(6);
    expect(await explainRun(options)).toMatchObject({ computed: 0 });
    expect(await readSaliency(options.out)).toEqual(before);
  });

  it('gives the same rows whatever was stored before, and replaces those of another method', async () => {
    const rise = { ...options, method: 'rise', wanted: { random: 2 } } as const;
    const elsewhere = join(home, 'elsewhere');
    await explainRun({ ...rise, out: elsewhere });
    await explainRun(rise);
    const [here, there] = [await readSaliency(options.out), await readSaliency(elsewhere)];
    expect(here?.rows).toHaveLength(12);
    expect(here?.rows).toEqual(there?.rows);
    expect(here?.rows.every(({ method, evaluations }) => method === 'rise' && evaluations === 20)).toBe(true);
  });

  it('says what the maps say', async () => {
    await explainRun(options);
    const saliency = await readSaliency(options.out);
    if (!saliency) throw new Error('nothing was written');
    const summary = summariseSaliency(saliency, { pairs: [{ first: 'first', second: 'second' }] });
    expect(summary.cells).toHaveLength(6);
    expect(summary.cells[0]).toMatchObject({ model: 'first', scenario: 'original', n: 6, change: null });
    expect(summary.comparisons.map(({ scenario }) => scenario)).toEqual(['', 'blur-background', 'grey', 'original']);
    expect(attentionSentences(summary).length).toBeGreaterThan(0);
  });

  it('leaves no thread behind where the last shard cannot be written', async () => {
    const out = join(home, 'unwritable');
    const { open } = explainJob;
    let [opened, closed] = [0, 0];
    const watched = vi.spyOn(explainJob, 'open').mockImplementation(async (...given) => {
      opened++;
      const job = await open(...given);
      return {
        ...job,
        async close() {
          closed++;
          await job.close();
        },
      };
    });
    // When all maps are made, where their rows belong is no folder.
    const onProgress = (done: number, total: number) => {
      if (done < total) return;
      rmSync(join(out, 'saliency'), { recursive: true });
      writeFileSync(join(out, 'saliency'), '');
    };
    await expect(explainRun({ ...options, out, wanted: { random: 1 }, onProgress })).rejects.toThrow();
    watched.mockRestore();
    expect([opened, closed]).toEqual([1, 1]);
  });

  it('refuses names that no sample has, and layers that are no maps', async () => {
    await expect(explainRun({ ...options, wanted: { samples: ['nobody.jpg'] } })).rejects.toThrow('--samples');
    await expect(explainRun({ ...options, method: 'score-cam', layer: 'pooled' })).rejects.toThrow('as a map');
    await expect(explainRun({ ...options, method: 'score-cam', layer: 'nothing' })).rejects.toThrow('--layer');
  });
});
