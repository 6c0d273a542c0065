import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SampleError } from '../contracts/errors.ts';
import { createMask, createRaster, type Mask, type Raster } from '../image/raster.ts';
import { cover } from './cover.ts';
import type { Variant } from './define.ts';
import { mixedNext } from './mixed-next.ts';
import { mixedRand } from './mixed-rand.ts';
import { mixedSame } from './mixed-same.ts';
import { noFg } from './no-fg.ts';
import { onlyBgB } from './only-bg-b.ts';
import { onlyBgT } from './only-bg-t.ts';
import { onlyFg } from './only-fg.ts';
import { createSceneSource, type ScenePool } from './scene.ts';
import { tileOverBox } from './tiled-background.ts';

const { tiles } = JSON.parse(
  readFileSync(new URL('../../test/fixtures/placing/placing.json', import.meta.url), 'utf8'),
) as { tiles: { box: [number, number, number, number]; image: string }[] };

const picture = (a: number, b: number, c: number): Raster =>
  createRaster(
    48,
    40,
    Uint8Array.from({ length: 48 * 40 * 3 }, (_, i) => (i * a + Math.floor(i / 144) * b + c) % 256),
  );
const image = picture(5, 7, 11);
const maskOf = (width: number, height: number, inside: (x: number, y: number) => boolean): Mask =>
  createMask(
    width,
    height,
    Uint8Array.from({ length: width * height }, (_, i) => (inside(i % width, Math.floor(i / width)) ? 255 : 0)),
  );
/** A diamond in the box (10, 8) to (29, 27). */
const mask = maskOf(48, 40, (x, y) => Math.abs(x - 19.5) + Math.abs(y - 17.5) <= 10);

const sceneWith = (other: ScenePool['other'] = () => Promise.reject(new Error('not asked for')), object = mask) => {
  const never = () => Promise.reject(new Error('not asked for'));
  const pool: ScenePool = { background: never, generated: never, paint: never, other };
  return createSceneSource({ sample: { id: 'a', label: 'x' }, image, mask: object, seed: 1, pool }).scene('mixed');
};

describe('only-bg-t', () => {
  it.each(tiles.map(({ box, image }) => [box.join(), box, image] as const))(
    'of box %s is what Pillow and NumPy tile',
    (_, [x, y, width, height], expected) => {
      const made = tileOverBox(image, { x, y, width, height });
      expect(made?.data).toEqual(new Uint8Array(Buffer.from(expected, 'base64')));
    },
  );

  it('costs the sample where the box leaves no strip', () => {
    const full = maskOf(48, 40, (x, y) => x === y || x === 47 || y === 0);
    expect(() =>
      onlyBgT.apply(
        sceneWith(
          undefined,
          maskOf(48, 40, () => true),
        ),
        {},
      ),
    ).toThrow(SampleError);
    expect(() => onlyBgT.apply(sceneWith(undefined, full), {})).toThrow(/no strip/);
  });
});

describe('only-fg, no-fg and only-bg-b', () => {
  const made = [onlyFg, noFg, onlyBgB].map((scenario) => scenario.apply(sceneWith(), {}) as Raster);

  it('black out the background, the object and its box', () => {
    const wanted = (isKept: (i: number) => boolean) =>
      image.data.map((level, k) => (isKept(Math.floor(k / 3)) ? level : 0));
    const isOutsideBox = (i: number) => {
      const [x, y] = [i % 48, Math.floor(i / 48)];
      return !(x >= 10 && x <= 29 && y >= 8 && y <= 27);
    };
    expect(made.map(({ data }) => data)).toEqual([
      wanted((i) => mask.data[i] === 255),
      wanted((i) => mask.data[i] === 0),
      wanted(isOutsideBox),
    ]);
  });
});

describe('the mixed scenarios', () => {
  const other = { image: cover(picture(3, 13, 90), 60, 33), mask: maskOf(60, 33, (x, y) => x > 30 && y > 5) };

  it.each([
    [mixedSame, 'same-class'],
    [mixedRand, 'other-class'],
    [mixedNext, 'next-class'],
  ] as const)('$id puts the object over the tiled background it asks for', async (scenario, of) => {
    const asked: string[] = [];
    const scene = sceneWith(async (_random, _sample, kind) => {
      asked.push(kind);
      return other;
    });
    const made = ((await scenario.apply(scene, { border: 'auto' })) as Variant).image;
    expect(asked).toEqual([of]);
    const tiled = tileOverBox(other.image, { x: 31, y: 6, width: 29, height: 27 }) as Raster;
    const behind = cover(tiled, 48, 40);
    mask.data.forEach((inside, i) => {
      const from = inside ? image : behind;
      expect(made.data.subarray(i * 3, i * 3 + 3)).toEqual(from.data.subarray(i * 3, i * 3 + 3));
    });
  });

  it('pass over photographs whose object leaves no strip, and say so when all do', async () => {
    const full = { ...other, mask: maskOf(60, 33, () => true) };
    let calls = 0;
    const scene = sceneWith(async () => (++calls < 3 ? full : other));
    await mixedSame.apply(scene, { border: 'auto' });
    expect(calls).toBe(3);
    await expect(
      mixedSame.apply(
        sceneWith(async () => full),
        { border: 'auto' },
      ),
    ).rejects.toThrow(/strip of background/);
  });
});
