import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plainNet } from '../../test/support/onnx.ts';
import { describeModel } from '../models/open.ts';
import { type ModelsToOpen, openModels, openModelsEarly } from './open-models.ts';

let home: string;
let wanted: ModelsToOpen;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'open-models-'));
  const spec = join(home, 'net.onnx');
  await writeFile(spec, plainNet({ sizePx: 8, outputs: 3, layers: [{ channels: 2, kernel: 3 }] }));
  wanted = { models: [{ spec, description: await describeModel(spec) }], threadsPerModel: 1 };
});
afterAll(() => rm(home, { recursive: true }));

it('takes the models that were opened early, though the wish has been sent between threads meanwhile', async () => {
  const early = await openModelsEarly(wanted);
  const models = await openModels(structuredClone(wanted), early);
  expect(models).toBe(early.models);
  for (const model of models) await model.close();
});

it('opens models anew where others are wanted than were opened early, which are closed', async () => {
  const early = await openModelsEarly(wanted);
  const closed: string[] = [];
  const watched = early.models.map((model) => ({
    ...model,
    close: async () => {
      closed.push(model.name);
      await model.close();
    },
  }));
  const [{ spec, description }] = wanted.models;
  const renamed = { ...wanted, models: [{ spec, description: { ...description, name: 'another' } }] };
  const models = await openModels(renamed, { ...early, models: watched });
  expect(models.map(({ name }) => name)).toEqual(['another']);
  expect(closed).toEqual(['net']);
  for (const model of models) await model.close();
});
