import { describe, expect, it } from 'vitest';
import { SampleError } from '../contracts/errors.ts';
import { createRaster } from '../image/raster.ts';
import { drawExample } from './gallery/example.ts';
import { parseScenario } from './name.ts';
import { applyScenario, createSceneSource, type ScenePool } from './scene.ts';

const photograph = drawExample({ width: 48, height: 36 });
const sample = { id: 'cats/a.jpg', label: 'cats' };
const pool: ScenePool = {
  background: async (random, _sample, width, height) => {
    const level = random.integer(0, 255);
    return createRaster(width, height, new Uint8Array(width * height * 3).fill(level));
  },
  other: async () => photograph,
  paint: async ({ image }) => createRaster(image.width, image.height),
  generated: async () => createRaster(96, 40, new Uint8Array(96 * 40 * 3).fill(9)),
};
const source = (seed = 1, id = sample.id) =>
  createSceneSource({ sample: { ...sample, id }, ...photograph, seed, pool });

describe('createSceneSource', () => {
  it('removes the object once, and alike for every scenario', () => {
    const one = source();
    expect(one.scene('size').filled()).toBe(one.scene('position').filled());
    expect(source().scene('direction').filled().data).toEqual(one.scene('size').filled().data);
  });

  it('seeds each scenario, sample and seed on its own', () => {
    const first = (seed: number, id: string, name: string) => source(seed, id).scene(name).random.uniform();
    const draws = [first(1, 'a', 'grey'), first(1, 'a', 'rainbow'), first(1, 'b', 'grey'), first(2, 'a', 'grey')];
    expect(new Set(draws).size).toBe(4);
    expect(first(1, 'a', 'grey')).toBe(draws[0]);
  });

  it('has no getters of its own, which would keep its photograph in memory', () => {
    const own = Object.values(Object.getOwnPropertyDescriptors(source().scene('grey')));
    expect(own.filter(({ get }) => get)).toEqual([]);
  });

  it('fits a generated background to the frame', async () => {
    const generated = await source().scene('generated-background').generated();
    expect([generated?.width, generated?.height]).toEqual([48, 36]);
  });

  it('gives another background for another sample or seed', async () => {
    const level = async (seed: number, id: string) => (await source(seed, id).scene('x').background()).data[0];
    const levels = await Promise.all(Array.from({ length: 8 }, (_, i) => level(1, `${i}`)));
    expect(new Set(levels).size).toBeGreaterThan(4);
    expect(await level(1, '0')).toBe(levels[0]);
  });
});

describe('a sample without a mask', () => {
  const bare = createSceneSource({ sample, image: photograph.image, seed: 1, pool });

  it.each(['blur-background', 'segmented', 'grey:background', 'fog:region=object'])(
    '%s costs the sample',
    async (name) => {
      const { scenario, params } = parseScenario(name);
      const attempt = applyScenario(scenario, bare.scene(name), params);
      await expect(attempt).rejects.toThrow(SampleError);
      await expect(attempt).rejects.toMatchObject({ problem: 'mask-missing' });
    },
  );

  it.each(['original', 'grey', 'lighting', 'white-balance', 'fog'])('%s needs none', async (name) => {
    const { scenario, params } = parseScenario(name);
    const { image } = await applyScenario(scenario, bare.scene(name), params);
    expect(image.width).toBe(48);
  });
});
