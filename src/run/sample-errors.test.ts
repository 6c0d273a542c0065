import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import onnxProto from 'onnx-proto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDataset } from '../dataset/index.ts';
import { describeModel } from '../models/open.ts';
import { parseScenarioList } from '../scenarios/name.ts';
import { withRunFolder } from './folder/index.ts';
import { executeRun } from './run.ts';

const { onnx } = onnxProto;
const side = 6;

/** A segmenter whose scores are every pixel over itself: not a number for a picture with a black pixel, 1 for all others. */
const overItself = () => {
  const shape = { dim: [{ dimParam: 'n' }, ...[3, side, side].map((dimValue) => ({ dimValue }))] };
  const value = (name: string) => ({ name, type: { tensorType: { elemType: 1, shape } } });
  return onnx.ModelProto.encode({
    irVersion: 8,
    opsetImport: [{ domain: '', version: 13 }],
    graph: {
      name: 'net',
      node: [{ opType: 'Div', input: ['input', 'input'], output: ['output'] }],
      input: [value('input')],
      output: [value('output')],
    },
  } as never).finish();
};

describe('a sample that fails inside a batch', () => {
  let home: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sample-errors-'));
    await writeFile(join(home, 'net.onnx'), overItself());
    const mask = new Uint8Array(side * side).fill(255, 0, 12);
    const rows = ['image,mask,label'];
    for (let i = 0; i < 5; i++) {
      const pixels = new Uint8Array(side * side * 3).fill(100 + i);
      if (i === 1) pixels.fill(0, 30, 33);
      await sharp(pixels, { raw: { width: side, height: side, channels: 3 } }).toFile(join(home, `${i}.png`));
      await sharp(mask, { raw: { width: side, height: side, channels: 1 } }).toFile(join(home, `mask-${i}.png`));
      rows.push(`${i}.png,mask-${i}.png,thing`);
    }
    await writeFile(join(home, 'manifest.csv'), rows.join('\n'));
  });
  afterAll(() => rm(home, { recursive: true }));

  // Two: the batch is filled by a neighbour. Eight: the last, unfilled one.
  it.each([2, 3, 8])('is booked to itself and costs its neighbours nothing, batch %i', async (batch) => {
    const dataset = await readDataset(join(home, 'manifest.csv'), {});
    const spec = {
      model: join(home, 'net.onnx'),
      preprocessing: { task: 'segment' as const, resize: null, crop: null, scale: 1, mean: 0, std: 1 },
    };
    const { errors, run } = await executeRun({
      dataset,
      samples: dataset.samples,
      foldOf: () => -1,
      models: [{ spec, description: await describeModel(spec, { batch }) }],
      scenarios: parseScenarioList('original'),
      scenariosNamed: true,
      seed: 0,
      photographs: { mode: 'pillow', flatten: [255, 255, 255], maxPixels: 1e6, border: 'ignore' },
      version: 'test',
      out: join(home, `run-${batch}`),
      threads: 1,
      batch,
      maxErrors: 0.5,
      config: {},
    });
    expect(errors).toEqual([
      expect.objectContaining({ sample: '1.png', scenario: 'original', model: 'net', problem: 'model-failed' }),
    ]);
    const rows = await withRunFolder(run, (folder) => folder.rows('segmentation'));
    expect(rows.map(({ sample }) => sample)).toEqual(['0.png', '2.png', '3.png', '4.png']);
  });
});
