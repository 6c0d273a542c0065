import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataset } from '../../../test/support/dataset.ts';
import { plainNet } from '../../../test/support/onnx.ts';
import { remedyComparisonSchema } from '../../contracts/remedies.ts';
import type { Dataset } from '../../contracts/sample.ts';
import { readDataset } from '../../dataset/index.ts';
import { describeModel } from '../../models/open.ts';
import type { PhotographOptions } from '../../run/photograph.ts';
import { parseScenarioList } from '../../scenarios/name.ts';
import { openBackbone } from '../backbone.ts';
import { trainHeads } from '../train.ts';
import { deliveredRemedies } from './delivered-remedies.ts';
import { headRemedies } from './head-remedies.ts';
import { objectViews } from './remedies.ts';

const photographs: PhotographOptions = {
  mode: 'corrected',
  flatten: [255, 255, 255],
  maxPixels: 1e8,
  border: 'ignore',
};
const views = Object.keys(objectViews);
const scenarios = parseScenarioList('original,blur-object,segmented');
let folder: string;
let model: string;
let dataset: Dataset;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sceneshift-helps-'));
  dataset = await readDataset(
    (await makeDataset(join(folder, 'data'), { perClass: 4, width: 48, height: 40 })).manifest,
  );
  model = join(folder, 'net.onnx');
  const layers = [{ channels: 8, kernel: 3, stride: 2 }];
  await writeFile(model, plainNet({ sizePx: 24, layers, outputs: 3 }));
  const record = {
    labels: ['disc', 'square', 'ring'],
    resize: { shortSide: 24, filter: 'bilinear' },
    crop: 24,
    preprocessing: 'imagenet',
  };
  await writeFile(`${model}.json`, JSON.stringify(record));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shared = () => ({
  dataset,
  samples: dataset.samples,
  scenarios,
  scenariosNamed: true,
  seed: 1,
  photographs,
  version: 'test',
  threads: 0,
  maxErrors: 0,
});

describe('what helps', () => {
  it('a model as delivered: every view of every scenario against the plain one', async () => {
    const description = await describeModel(model, { classes: dataset.classes });
    const { helps, errors } = await deliveredRemedies({
      ...shared(),
      foldOf: () => -1,
      models: [{ spec: model, description }],
      views,
    });
    remedyComparisonSchema.parse(helps);
    expect(errors).toEqual([]);
    expect(helps.remedies.map(({ remedy, when }) => [remedy, when])).toEqual(views.map((view) => [view, 'test']));
    for (const { scenarios: rows, overall } of helps.remedies) {
      expect(rows.map(({ scenario, pairs }) => [scenario, pairs])).toEqual([
        ['original', 12],
        ['blur-object', 12],
        ['segmented', 12],
      ]);
      expect(overall.scenarios).toBe(2);
    }
    // Before black, the background's mean colour is black: the view changes nothing there.
    const mean = helps.remedies.find(({ remedy }) => remedy === 'mean-background');
    const segmented = mean?.scenarios.find(({ scenario }) => scenario === 'segmented');
    expect([segmented?.gained, segmented?.lost, segmented?.p]).toEqual([0, 0, 1]);
  });

  it('heads trained here: on several scenarios, and with the object shown otherwise', async () => {
    const backbone = await openBackbone(model, {});
    const out = join(folder, 'run');
    const summary = await trainHeads({
      ...shared(),
      classes: dataset.classes,
      folds: 2,
      backbone,
      out,
      on: ['mix'],
      views,
      config: {},
    });
    const helps = await headRemedies({
      run: summary.run,
      model: summary.backbone,
      plan: summary.plan,
      features: summary.computedFeatures.store,
      heads: summary.heads,
      classes: dataset.classes,
      threads: 0,
    });
    remedyComparisonSchema.parse(helps);
    expect(helps.remedies.map(({ when }) => when)).toEqual([
      'training',
      'test',
      'test',
      'test',
      'both',
      'both',
      'both',
    ]);
    // The plain side is what the run's own table says of the head trained on the unedited pictures.
    const told = summary.matrix.filter(({ trained }) => trained === 'original');
    for (const { scenario, plain } of helps.remedies[0].scenarios)
      expect(plain).toBeCloseTo(told.find(({ tested }) => tested === scenario)?.accuracy as number, 12);
    const mixed = summary.matrix.filter(({ trained }) => trained === 'mix');
    for (const { scenario, remedied } of helps.remedies[0].scenarios)
      expect(remedied).toBeCloseTo(mixed.find(({ tested }) => tested === scenario)?.accuracy as number, 12);
  });
});
