import { describe, expect, it } from 'vitest';
import { createRaster } from '../image/raster.ts';
import { blurFor } from './blurred.ts';
import { drawExample } from './gallery/example.ts';
import { parseScenario, parseScenarioList } from './name.ts';
import { presets } from './presets.ts';
import { needsOf, promiseOf } from './registry.ts';
import { applyScenario, createSceneSource, type ScenePool } from './scene.ts';

const photograph = drawExample({ width: 64, height: 48 });
const { image, mask } = photograph;
const pool: ScenePool = {
  background: async () => image,
  other: async () => photograph,
  generated: async () => image,
  paint: async () => image,
};

async function edit(text: string, id = 'a') {
  const { scenario, params, name } = parseScenario(text);
  return applyScenario(scenario, createSceneSource({ sample: { id }, image, mask, seed: 1, pool }).scene(name), params);
}

/** Levels of one side of the mask. */
const side = (data: Uint8Array, of: 0 | 255) => data.filter((_, i) => mask.data[Math.floor(i / 3)] === of);

describe('blur relative to the picture', () => {
  it('is the recipe of XIMAGENET-12 at 240 px, and grows with the shorter side', () => {
    const settings = { sigma: 3, kernel: 15, sigmaShare: 0.0125 };
    expect(blurFor(createRaster(320, 240), settings)).toEqual({ sigma: 3, kernel: 15 });
    expect(blurFor(createRaster(1600, 2000), settings)).toEqual({ sigma: 20, kernel: 101 });
    expect(blurFor(createRaster(320, 240), { ...settings, sigmaShare: 0 })).toEqual({ sigma: 3, kernel: 15 });
    expect(blurFor(createRaster(4, 4), settings).kernel).toBe(3);
  });

  it('is the same edit as the same σ in pixels', async () => {
    const relative = await edit('blur-background:sigmaShare=0.0625');
    const inPixels = await edit('blur-background:kernel=15');
    expect(relative.image.data).toEqual(inPixels.image.data);
    expect(relative.image.data).not.toEqual((await edit('blur-background:sigmaShare=0.15')).image.data);
  });
});

describe('transparent', () => {
  it('has the mask as its alpha and the stated colour behind it', async () => {
    const { image: white, alpha } = await edit('transparent');
    expect(alpha).toEqual(mask.data);
    expect(side(white.data, 0).every((level) => level === 255)).toBe(true);
    const { image: coloured } = await edit('transparent:102030');
    expect([...coloured.data.slice(0, 3)]).toEqual([0x10, 0x20, 0x30]);
  });
});

describe('channel', () => {
  it.each([
    ['channel-red', 0],
    ['channel-green', 1],
    ['channel-blue', 2],
  ])('%s keeps that channel of the background alone', async (name, channel) => {
    const { image: out } = await edit(name);
    const background = out.data.filter((_, k) => !mask.data[Math.floor(k / 3)]);
    const before = image.data.map((level, k) => (k % 3 === channel ? level : 0));
    expect(background).toEqual(before.filter((_, k) => !mask.data[Math.floor(k / 3)]));
  });
});

describe('noise', () => {
  it('has the stated spread, another draw per sample and trial', async () => {
    const { image: noisy } = await edit('noise-background:0.05');
    const before = side(image.data, 0);
    const errors = [...side(noisy.data, 0)].map((level, i) => level - before[i]);
    const inRange = errors.filter((_, i) => Math.abs(before[i] - 128) < 60);
    const spread = Math.sqrt(inRange.reduce((sum, e) => sum + e * e, 0) / inRange.length);
    // A few thousand draws of σ 12.75: the standard error is below 0.2.
    expect(spread).toBeGreaterThan(12);
    expect(spread).toBeLessThan(13.5);
    expect((await edit('noise-background:0.05', 'b')).image.data).not.toEqual(noisy.data);
    expect((await edit('noise-background:sigma=0.05+trial=2')).image.data).not.toEqual(noisy.data);
  });
});

describe('camera-shift', () => {
  it('leaves everything in place at strength 0', async () => {
    const still = await edit('camera-shift:0');
    expect(still.image.data).toEqual(image.data);
    expect(still.mask?.data).toEqual(mask.data);
  });

  it('moves picture and mask together', async () => {
    const { image: out, mask: moved } = await edit('camera-shift:x=0.125+y=0+rotation=0+pan=0+tilt=0');
    const red = ({ data }: { data: Uint8Array }) => data.filter((_, k) => k % 3 === 0);
    const from8 = (plane: Uint8Array | undefined) => plane?.filter((_, i) => i % 64 >= 8);
    const to56 = (plane: Uint8Array) => plane.filter((_, i) => i % 64 < 56);
    expect(from8(moved?.data)).toEqual(to56(mask.data));
    expect(from8(red(out))).toEqual(to56(red(image)));
  });
});

describe('lighting', () => {
  it('is brighter where the light comes from', async () => {
    const column = (data: Uint8Array, x: number) => {
      let sum = 0;
      for (let y = 0; y < 48; y++) sum += data[(y * 64 + x) * 3 + 1] - image.data[(y * 64 + x) * 3 + 1];
      return sum;
    };
    const right = (await edit('lighting:angle=0')).image.data;
    expect(column(right, 63)).toBeGreaterThan(0);
    expect(column(right, 0)).toBeLessThan(0);
    const left = (await edit('lighting:angle=180')).image.data;
    expect(column(left, 63)).toBeLessThan(0);
  });
});

describe('promises and needs follow the region', () => {
  it.each([
    ['grey', 'changed', []],
    ['grey:background', 'untouched', ['mask']],
    ['tint-red', 'untouched', ['mask']],
    ['tint-red:region=image', 'changed', []],
    ['fog:region=object', 'changed', ['mask']],
    ['random-background', 'untouched', ['mask', 'backgrounds']],
  ])('%s', (text, promise, needs) => {
    const { scenario, params } = parseScenario(text);
    expect(promiseOf(scenario, params)).toBe(promise);
    expect(needsOf(scenario, params)).toEqual(needs);
  });
});

describe('presets', () => {
  it.each(Object.entries(presets))('%s reads as written, the original first', (id, preset) => {
    const names = parseScenarioList(id).map(({ name }) => name);
    expect(names).toEqual(preset.scenarios);
    expect(names[0]).toBe('original');
  });

  it("ximagenet-12 begins with the paper's Table 1, column by column", () => {
    expect(presets['ximagenet-12'].scenarios.slice(1, 9)).toEqual([
      'blur-background',
      'blur-object',
      'tint-green',
      'tint-blue',
      'grey',
      'tint-red',
      'random-background-additive',
      'segmented',
    ]);
  });

  it('corruptions are fifteen at five severities', () => {
    expect(parseScenarioList('corruptions')).toHaveLength(76);
  });
});
