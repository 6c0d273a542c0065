import { describe, expect, it } from 'vitest';
import { createMask, createRaster, type Raster } from '../image/raster.ts';
import type { Answer, ModelDescription } from '../models/define.ts';
import { chooseMethod } from './choose-method.ts';
import { explainVariant } from './explain-variant.ts';
import { defaultSettings } from './options.ts';

const [width, height] = [40, 30];
const spot = { left: 24, top: 6, right: 36, bottom: 16 };
const inSpot = (x: number, y: number) => x >= spot.left && x < spot.right && y >= spot.top && y < spot.bottom;

/** A closed box that answers by how bright one spot of the picture is, whatever the rest shows. */
const box = {
  model: {
    name: 'box',
    outputs: 'probabilities' as const,
    batch: 4,
    preprocessing: undefined,
    prepare: (image: Raster) => image.data,
  },
  names: ['dark', 'bright'],
  graph: undefined,
  answer: async (batch: readonly (Uint8Array | Float32Array | Uint16Array)[]): Promise<Answer[]> =>
    batch.map((data) => {
      let [sum, n] = [0, 0];
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++)
          if (inSpot(x, y)) {
            sum += data[3 * (y * width + x)] / 255;
            n++;
          }
      return { kind: 'scores', scores: Float32Array.of(1 - sum / n, sum / n) };
    }),
};

const image = createRaster(width, height, new Uint8Array(width * height * 3).fill(60));
const mask = createMask(width, height);
for (let y = 0, i = 0; y < height; y++)
  for (let x = 0; x < width; x++, i++)
    if (inSpot(x, y)) {
      image.data.fill(250, 3 * i, 3 * i + 3);
      mask.data[i] = 255;
    }
const variant = { image, mask, sample: 's', scenario: 'original', label: 'bright', targets: [1] };

describe('explainVariant', () => {
  it.each(['rise', 'occlusion'] as const)('%s finds the one spot that a closed box looks at', async (method) => {
    const settings = { ...defaultSettings, masks: 400, converge: 1, cells: 6, steps: 16 };
    const { numbers, map } = await explainVariant(variant, { ...box, method }, { seed: 3, settings });
    expect(map).toHaveLength(width * height);
    expect(numbers).toMatchObject({ pointing: 1, correct: true, class: 'bright', objectShown: 1 });
    expect(numbers.areaShare).toBeCloseTo(0.1, 9);
    expect(numbers.energyRatio).toBeGreaterThan(3);
    expect(numbers.iou).toBeGreaterThan(0.5);
    // Taking the spot away first lowers the score at once; what is added first brings it back at once.
    expect(numbers.deletion).toBeLessThan(numbers.insertion);
    if (method === 'rise') expect(numbers.reliability).toBeGreaterThan(0.8);
  });

  it('gives the same map for the same seed, and stops early once the map is reliable', async () => {
    const settings = { ...defaultSettings, masks: 2000, converge: 0.6 };
    const [first, again] = [0, 1].map(() => explainVariant(variant, { ...box, method: 'rise' }, { seed: 3, settings }));
    expect((await first).map).toEqual((await again).map);
    expect((await first).numbers.evaluations).toBeLessThan(2000);
  });

  it('refuses models without scores, and graph methods for closed boxes', async () => {
    const description = (kind: string) => ({ name: 'it', kind }) as ModelDescription;
    for (const kind of ['segmenter', 'vlm', 'predictions'])
      await expect(chooseMethod(description(kind), { method: 'auto' })).rejects.toThrow('cannot be explained');
    await expect(chooseMethod(description('command'), { method: 'cam' })).rejects.toThrow('--method rise');
    expect(await chooseMethod(description('command'), { method: 'auto' })).toMatchObject({ method: 'rise' });
  });
});
