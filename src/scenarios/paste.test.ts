import { describe, expect, it } from 'vitest';
import { createMask, type Mask } from '../image/raster.ts';
import { cover } from './cover.ts';
import type { Variant } from './define.ts';
import { drawExample } from './gallery/example.ts';
import { parseScenario } from './name.ts';
import { withoutBorder } from './paste.ts';
import { promiseOf, scenarios } from './registry.ts';
import { applyScenario, createSceneSource, type ScenePool } from './scene.ts';

const photographs = [1, 2, 3].map((seed) => drawExample({ width: 64, height: 48, seed }));
const [{ image, mask: drawn }] = photographs;
const pool: ScenePool = {
  background: async (random, _sample, width, height) => cover(random.pick(photographs.slice(1)).image, width, height),
  other: async (random) => random.pick(photographs.slice(1)),
  generated: async () => photographs[2].image,
  paint: async () => photographs[2].image,
};
/** The drawn mask with a band of two pixels to either side of its edge uncertain. */
const uncertain = createMask(64, 48);
const data = drawn.data.slice();
for (let y = 0; y < 48; y++)
  for (let x = 0; x < 64; x++) {
    const i = y * 64 + x;
    for (let v = Math.max(0, y - 2); v <= Math.min(47, y + 2); v++)
      for (let u = Math.max(0, x - 2); u <= Math.min(63, x + 2); u++)
        if (drawn.data[v * 64 + u] !== drawn.data[i]) uncertain.data[i] = 255;
    if (uncertain.data[i]) data[i] = 255;
  }
const hard: Mask = { width: 64, height: 48, data, ignore: uncertain.data };
const matte: Mask = { ...hard, edges: 'matte' };

const edit = (name: string, mask: Mask): Promise<Variant> => {
  const { scenario, params, name: canonical } = parseScenario(name);
  const source = createSceneSource({ sample: { id: 'a', label: 'b' }, image, mask, seed: 3, pool });
  return applyScenario(scenario, source.scene(canonical), params);
};
/** The pixels at these places, the others black. */
const pixels = (picture: { data: Uint8Array }, at: (i: number) => unknown) =>
  picture.data.map((level, k) => (at(Math.floor(k / 3)) ? level : 0));
const isSure = (i: number) => !uncertain.data[i];

describe('a pasted object with an uncertain edge', () => {
  const pasting = scenarios.filter(({ params }) => 'border' in params).map(({ id }) => id);
  const before = [...pasting, 'segmented', 'only-fg', 'transparent', 'complexity'];

  it('is offered both ways by every scenario that shows it before another background', () => {
    expect(pasting).toEqual(
      expect.arrayContaining(scenarios.filter((scenario) => scenario.otherBackground).map(({ id }) => id)),
    );
    expect(pasting).toContain('paste-back');
  });

  it.each(before)('%s keeps sure pixels to the bit, and mixes the uncertain ones alone', async (id) => {
    const [mixed, plain] = [await edit(id, matte), await edit(id, hard)];
    expect(promiseOf(parseScenario(id).scenario, parseScenario(id).params)).toBe('untouched');
    expect(pixels(mixed.image, isSure)).toEqual(pixels(plain.image, isSure));
    const isObject = (i: number) => data[i] && isSure(i);
    expect(pixels(mixed.image, isObject)).toEqual(pixels(image, isObject));
    const changed = new Set<number>();
    mixed.image.data.forEach((level, k) => void (level !== plain.image.data[k] && changed.add(Math.floor(k / 3))));
    expect(changed.size).toBeGreaterThan(20);
  });

  it.each(pasting)('%s counts the border to either side, before the same background', async (id) => {
    const [whole, sure] = [
      await edit(`${id}:border=with-border`, matte),
      await edit(`${id}:border=without-border`, matte),
    ];
    const plain = await edit(id, hard);
    expect(whole.image.data).toEqual(plain.image.data);
    expect(pixels(sure.image, isSure)).toEqual(pixels(plain.image, isSure));
    expect(sure.mask?.data).toEqual(data.map((value, i) => (value && isSure(i) ? 255 : 0)));
    expect(sure.image.data).not.toEqual(whole.image.data);
  });

  it.each(pasting)("%s counts a soft mask's levels between to either side too", async (id) => {
    const level = (i: number) => (uncertain.data[i] ? (drawn.data[i] ? 180 : 70) : drawn.data[i]);
    const soft = { ...drawn, soft: drawn.data.map((_, i) => level(i)), edges: 'matte' } as const;
    const [whole, sure] = [
      await edit(`${id}:border=with-border`, soft),
      await edit(`${id}:border=without-border`, soft),
    ];
    expect(whole.mask?.data).toEqual(data);
    expect(sure.mask?.data).toEqual(data.map((value, i) => (uncertain.data[i] ? 0 : value)));
    const isObject = (i: number) => data[i];
    expect(pixels(whole.image, isObject)).toEqual(pixels(image, isObject));
    expect(pixels(sure.image, isSure)).toEqual(pixels(whole.image, isSure));
  });

  it('moves with its own colours', async () => {
    const [mixed, plain] = [await edit('position:keep', matte), await edit('position:keep', hard)];
    expect(mixed.image.data).not.toEqual(plain.image.data);
    expect(mixed.mask?.data.some((value) => value === 255)).toBe(true);
  });

  it('is left hard by edits that keep the scene', async () => {
    for (const id of ['blur-background', 'grey', 'noise-background', 'blur-object'])
      expect((await edit(id, matte)).image.data).toEqual((await edit(id, hard)).image.data);
  });
});

describe('withoutBorder', () => {
  it('names the scenario that has the same backgrounds', () => {
    expect(withoutBorder('random-background')).toBe('random-background');
    expect(withoutBorder('random-background:with-border')).toBe('random-background');
    expect(withoutBorder('generated-background:prompt=a-beach+border=without-border')).toBe(
      'generated-background:prompt=a-beach',
    );
    expect(withoutBorder('fog:severity=3+region=background')).toBe('fog:severity=3+region=background');
  });
});
