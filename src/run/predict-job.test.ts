import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeDataset } from '../../test/support/dataset.ts';
import { plainNet } from '../../test/support/onnx.ts';
import { readDataset } from '../dataset/index.ts';
import type { Model } from '../models/define.ts';
import { joined } from '../models/onnx/batch-room.ts';
import { describeModel } from '../models/open.ts';
import { parseScenarioList } from '../scenarios/name.ts';
import { openModelsEarly } from './open-models.ts';
import { makePlan } from './plan.ts';
import { predictJob } from './predict-job.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'predict-job-'));
  await writeFile(join(home, 'net.onnx'), plainNet({ sizePx: 24, layers: [{ channels: 4, kernel: 3 }], outputs: 3 }));
  await makeDataset(home, { perClass: 2, width: 24, height: 24 });
});
afterAll(() => rm(home, { recursive: true }));

it('lays every batch in one piece, however many variants a task has', async () => {
  const dataset = await readDataset(join(home, 'manifest.csv'), {});
  const batch = 2;
  const spec = {
    model: join(home, 'net.onnx'),
    preprocessing: { resize: null, crop: 24, scale: 1, mean: 0, std: 1 },
  };
  const scene = {
    seed: 0,
    photographs: { mode: 'pillow', flatten: [255, 255, 255], maxPixels: 1e6, border: 'ignore' },
  } as const;
  const plan = await makePlan({
    ...scene,
    dataset,
    samples: dataset.samples,
    foldOf: () => -1,
    models: [{ spec, description: await describeModel(spec, { batch, classes: dataset.classes }) }],
    scenarios: parseScenarioList('original,grey,blur-background'),
    scenariosNamed: true,
    version: 'test',
  });
  const init = { ...plan, ...scene, threadsPerModel: 1, batch };
  const early = await openModelsEarly(init);
  const gathered: boolean[][] = [];
  const watched = early.models.map(
    (model): Model => ({
      ...model,
      answer(pictures, questions) {
        gathered.at(-1)?.push(joined(pictures, pictures[0].length) === undefined);
        return model.answer(pictures, questions);
      },
    }),
  );
  const host = { isStopping: () => false, answer: () => Promise.reject(new Error('no model is asked elsewhere')) };
  const job = await predictJob.open(init, host, { ...early, models: watched });
  for (const [sampleIndex, conditions] of plan.wanted.entries()) {
    gathered.push([]);
    const { predictions } = await job.run({ work: [{ sampleIndex, conditions }] }, () => undefined);
    expect(predictions).toHaveLength(3);
  }
  await job.close();
  // The very first picture shows how much room one needs, and lies elsewhere.
  expect(gathered).toEqual([[true, false], ...Array.from({ length: 5 }, () => [false, false])]);
});
