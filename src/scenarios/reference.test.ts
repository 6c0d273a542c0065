import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createMask, createRaster, type Raster } from '../image/raster.ts';
import { parseScenario } from './name.ts';
import { applyScenario, createSceneSource, type ScenePool } from './scene.ts';

const reference = JSON.parse(
  readFileSync(new URL('../../test/fixtures/scenarios/reference.json', import.meta.url), 'utf8'),
);
const { width, height } = reference;
const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
const image = createRaster(width, height, bytes(reference.picture));
const mask = createMask(width, height, bytes(reference.mask));
const background = createRaster(width, height, bytes(reference.background));
const pool: ScenePool = {
  background: async () => background,
  other: async () => ({ image, mask }),
  paint: async () => background,
  generated: async () => background,
};

async function edited(text: string, picture = image): Promise<Raster> {
  const { scenario, params, name } = parseScenario(text);
  const scene = createSceneSource({ sample: { id: 'a' }, image: picture, mask, seed: 1, pool }).scene(name);
  return (await applyScenario(scenario, scene, params)).image;
}

/** Largest difference of a level, and the share of levels that differ by more than one. */
function difference(a: Uint8Array, b: Uint8Array): { largest: number; above1: number } {
  let largest = 0;
  let above = 0;
  for (let i = 0; i < a.length; i++) {
    const by = Math.abs(a[i] - b[i]);
    largest = Math.max(largest, by);
    if (by > 1) above++;
  }
  return { largest, above1: above / a.length };
}

const named = Object.keys(reference.outputs).filter((name) => !name.startsWith('tint:'));
const tints = Object.keys(reference.outputs)
  .filter((name) => name.startsWith('tint:'))
  .map((name) => name.slice(5));
const outside = (name: string) => bytes(reference.outputs[name]);

describe('equals the outside reference', () => {
  it.each(named)('%s', async (name) => {
    expect(difference((await edited(name)).data, outside(name)).largest).toBeLessThanOrEqual(1);
  });

  it.each(tints)('a tint of hue %s', async (hue) => {
    expect(difference((await edited(`tint-red:${hue}`)).data, outside(`tint:${hue}`)).largest).toBeLessThanOrEqual(1);
  });
});

describe('a deliberate mistake is seen', () => {
  /** Red and blue exchanged. */
  const swap = ({ data }: Raster) =>
    createRaster(
      width,
      height,
      Uint8Array.from(data, (_, i) => data[i + 2 * (1 - (i % 3))]),
    );

  it.each(['tint-red:15', 'rainbow:37', 'grey:background'])('BGR taken for RGB: %s', async (name) => {
    const mistaken = swap(await edited(name, swap(image)));
    expect(difference(mistaken.data, outside(name.replace('tint-red', 'tint'))).above1).toBeGreaterThan(0.1);
  });

  it.each([
    ['another kernel', 'blur-background:kernel=9', 'blur-background:sigma=3+kernel=15'],
    ['another sigma', 'blur-background:sigma=2.5', 'blur-background:sigma=3+kernel=15'],
    ['the object for the background', 'blur-object', 'blur-background:sigma=3+kernel=15'],
    ['a hue of another range', 'tint-red:60', 'tint:15'],
    ['a hue in degrees', 'tint-red:30', 'tint:15'],
    ['a shift not taken', 'rainbow:0', 'rainbow:37'],
    ['a paste for the sum', 'random-background', 'random-background-additive'],
  ])('%s', async (_, mistaken, name) => {
    expect(difference((await edited(mistaken)).data, outside(name)).above1).toBeGreaterThan(0.1);
  });
});

describe('the random draws', () => {
  const draws = (id: string) =>
    Array.from({ length: 400 }, (_, i) => {
      const { scenario, params, name } = parseScenario(id);
      const hues: number[] = [];
      const scene = createSceneSource({ sample: { id: `${i}` }, image, mask, seed: 1, pool }).scene(name);
      const { integer } = scene.random;
      const random = {
        ...scene.random,
        integer: (low: number, high: number) => {
          hues.push(integer(low, high));
          return hues[hues.length - 1];
        },
      };
      scenario.apply({ ...scene, mask, random }, params);
      return hues[hues.length - 1];
    });

  it.each([
    ['tint-red', (hue: number) => hue <= 29 || hue >= 150, [0, 29, 150, 180]],
    ['tint-green', (hue: number) => hue >= 30 && hue <= 89, [30, 89]],
    ['tint-blue', (hue: number) => hue >= 90 && hue <= 149, [90, 149]],
    ['rainbow', (shift: number) => shift >= 0 && shift <= 90, [0, 90]],
  ])('%s stays in its range and reaches its ends', (id, within, ends) => {
    const hues = draws(id);
    expect(hues.every(within)).toBe(true);
    for (const end of ends) expect(hues).toContain(end);
  });

  it('tint-red flips a fair coin between its two ranges', () => {
    const low = draws('tint-red').filter((hue) => hue <= 29).length;
    // Binomial(400, ½): within four standard deviations.
    expect(Math.abs(low - 200)).toBeLessThan(40);
  });
});
