import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areaShare, boundingBox } from '../image/mask-ops.ts';
import { createMask, createRaster, type Mask, type Raster } from '../image/raster.ts';
import type { Scene, Variant } from './define.ts';
import { direction } from './direction.ts';
import { objectOf } from './paste.ts';
import { pasteBack } from './paste-back.ts';
import { scaleObject } from './place-object.ts';
import { position } from './position.ts';
import { createSceneSource } from './scene.ts';
import { size } from './size.ts';

const fixture = JSON.parse(
  readFileSync(new URL('../../test/fixtures/placing/placing.json', import.meta.url), 'utf8'),
) as {
  width: number;
  height: number;
  mask: string;
  turned: { degrees: number; image: string; mask: string }[];
  half: { width: number; height: number; colour: string; alpha: string };
};

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
const picture = (a: number, b: number, c: number): Raster =>
  createRaster(
    48,
    40,
    Uint8Array.from({ length: 48 * 40 * 3 }, (_, i) => (i * a + Math.floor(i / 144) * b + c) % 256),
  );
const image = picture(5, 7, 11);
const background = picture(3, 13, 90);
const mask = createMask(48, 40, bytes(fixture.mask));

const sceneOf = (image: Raster, mask: Mask, seed = 1): Scene => {
  const never = () => Promise.reject(new Error('not asked for'));
  const pool = { background: never, other: never, generated: never, paint: never };
  return createSceneSource({ sample: { id: 'x' }, image, mask, seed, pool }).scene('x');
};
const onBackground = { ...sceneOf(image, mask), mask, filled: () => background };

const anywhere = { x: 'random', y: 'random', degrees: 0, blend: 'none' } as const;

const furthest = (a: Uint8Array, b: Uint8Array) => a.reduce((most, v, i) => Math.max(most, Math.abs(v - b[i])), 0);

/** A green frame with a red rectangle on it. */
const rectangle = (width: number, height: number, x: number, y: number, w: number, h: number) => {
  const image = createRaster(width, height);
  const mask = createMask(width, height);
  for (let i = 0; i < width * height; i++) {
    const u = (i % width) - x;
    const v = Math.floor(i / width) - y;
    const inside = u >= 0 && v >= 0 && u < w && v < h;
    mask.data[i] = inside ? 255 : 0;
    image.data.set(inside ? [200, 20, 20] : [20, 160, 40], i * 3);
  }
  return { image, mask };
};

/** The ellipse in that rectangle: its area does not jump by whole rows when it is scaled. */
const ellipse = (width: number, height: number, x: number, y: number, w: number, h: number) => {
  const { image, mask } = rectangle(width, height, x, y, w, h);
  for (let i = 0; i < width * height; i++) {
    const u = ((i % width) + 0.5 - x - w / 2) / (w / 2);
    const v = (Math.floor(i / width) + 0.5 - y - h / 2) / (h / 2);
    if (u * u + v * v > 1) mask.data[i] = 0;
  }
  return { image, mask };
};

describe('direction', () => {
  it.each(fixture.turned.map((t) => [t.degrees, t] as const))(
    '%i° is what Pillow’s rotate gives',
    (degrees, expected) => {
      const made = direction.apply(onBackground, { degrees, range: 45, blend: 'none' }) as Variant;
      expect(furthest(made.image.data, bytes(expected.image))).toBeLessThanOrEqual(1);
      expect(made.mask?.data).toEqual(bytes(expected.mask));
    },
  );

  it('draws its angle within the range, anew for each sample', () => {
    const { image, mask } = rectangle(60, 60, 20, 27, 20, 6);
    const heights = Array.from({ length: 12 }, (_, seed) => {
      const made = direction.apply(sceneOf(image, mask, seed), {
        degrees: 'random',
        range: 10,
        blend: 'none',
      }) as Variant;
      return boundingBox(made.mask as Mask).height;
    });
    // 20 × 6 turned by up to 10° is at most 6 · cos 10° + 20 · sin 10° = 9.4 high.
    expect(Math.max(...heights)).toBeLessThanOrEqual(11);
    expect(new Set(heights).size).toBeGreaterThan(1);
  });
});

describe('the object, scaled', () => {
  it('by a half is OpenCV’s INTER_AREA of colour times alpha', () => {
    const { width, height, colour, alpha } = scaleObject(objectOf(image, mask), 0.5);
    expect([width, height]).toEqual([fixture.half.width, fixture.half.height]);
    expect(furthest(colour, bytes(fixture.half.colour))).toBeLessThanOrEqual(1);
    expect(furthest(alpha, bytes(fixture.half.alpha))).toBeLessThanOrEqual(1);
  });

  it('brings no colour of the background it stood on', () => {
    const { image, mask } = rectangle(64, 48, 11, 9, 37, 29);
    const blue = createRaster(
      64,
      48,
      new Uint8Array(64 * 48 * 3).fill(0).map((_, i) => (i % 3 === 2 ? 255 : 0)),
    );
    for (const areaShare of [0.3, 0.11, 0.05]) {
      const made = size.apply(
        { ...sceneOf(image, mask), mask, filled: () => blue },
        { areaShare, blend: 'none' },
      ) as Variant;
      const greenest = made.image.data.filter((_, i) => i % 3 === 1).reduce((a, b) => Math.max(a, b));
      expect(greenest).toBeLessThanOrEqual(20);
    }
  });
});

describe('size', () => {
  it('reaches the share asked for, whatever the object', () => {
    const cases = fc.record({
      x: fc.integer({ min: 0, max: 60 }),
      y: fc.integer({ min: 0, max: 40 }),
      w: fc.integer({ min: 20, max: 60 }),
      h: fc.integer({ min: 20, max: 50 }),
      wanted: fc.double({ min: 0.03, max: 0.4, noNaN: true }),
    });
    fc.assert(
      fc.property(cases, ({ x, y, w, h, wanted }) => {
        const { image, mask } = ellipse(120, 90, x, y, w, h);
        const made = size.apply(sceneOf(image, mask), { areaShare: wanted, blend: 'none' }) as Variant;
        const share = areaShare(made.mask as Mask);
        const full = size.apply(sceneOf(image, mask), { areaShare: 'full', blend: 'none' }) as Variant;
        const most = areaShare(full.mask as Mask);
        // Sides are whole pixels: half a pixel of each side of the picture.
        expect(Math.abs(share - Math.min(wanted, most))).toBeLessThan((120 + 90) / 2 / (120 * 90));
      }),
      { numRuns: 25 },
    );
  });

  it('shrinks about the middle of the box', () => {
    const { image, mask } = rectangle(120, 90, 40, 20, 60, 40);
    const made = size.apply(sceneOf(image, mask), { areaShare: 0.05, blend: 'none' }) as Variant;
    const box = boundingBox(made.mask as Mask);
    expect(Math.abs(box.x + box.width / 2 - 70)).toBeLessThanOrEqual(1);
    expect(Math.abs(box.y + box.height / 2 - 40)).toBeLessThanOrEqual(1);
    expect(box.width / box.height).toBeCloseTo(1.5, 1);
  });

  it('full is the closest crop of the frame’s shape, moved to stay inside the photograph', () => {
    const { image, mask } = rectangle(120, 90, 0, 10, 40, 20);
    const made = size.apply(sceneOf(image, mask), { areaShare: 'full', blend: 'none' }) as Variant;
    expect(boundingBox(made.mask as Mask)).toMatchObject({ x: 0, width: 120, height: 60 });
    expect([...made.image.data.subarray(0, 3)]).toEqual([20, 160, 40]);
  });

  it('falls back to full at a share no crop can reach', () => {
    const { image, mask } = rectangle(120, 90, 30, 30, 40, 20);
    const full = size.apply(sceneOf(image, mask), { areaShare: 'full', blend: 'none' }) as Variant;
    const asked = size.apply(sceneOf(image, mask), { areaShare: 0.9, blend: 'none' }) as Variant;
    expect(asked.image.data).toEqual(full.image.data);
  });
});

describe('position', () => {
  it('keeps the whole object inside the frame, and goes everywhere', () => {
    const { image, mask } = rectangle(120, 90, 30, 30, 40, 20);
    const boxes = Array.from({ length: 60 }, (_, seed) => {
      const made = position.apply(sceneOf(image, mask, seed), { areaShare: 'keep', ...anywhere }) as Variant;
      return boundingBox(made.mask as Mask);
    });
    for (const box of boxes) expect([box.width, box.height]).toEqual([40, 20]);
    const xs = boxes.map(({ x }) => x);
    // Uniform over 0…80: sixty draws miss both outer tenths with a chance below 0.004.
    expect(Math.min(...xs)).toBeLessThan(8);
    expect(Math.max(...xs)).toBeGreaterThan(72);
  });

  it('first brings the object to 0.05 of the frame, also a smaller one', () => {
    for (const [w, h] of [
      [60, 40],
      [10, 8],
    ]) {
      const { image, mask } = rectangle(120, 90, 30, 30, w, h);
      const made = position.apply(sceneOf(image, mask), { areaShare: 0.05, ...anywhere }) as Variant;
      expect(Math.abs(areaShare(made.mask as Mask) - 0.05)).toBeLessThan(0.005);
    }
  });

  it('puts the object where it is told, and leaves to chance what it is not told', () => {
    const { image, mask } = rectangle(120, 90, 30, 30, 40, 20);
    const boxOf = (params: object) => {
      const made = position.apply(sceneOf(image, mask), { areaShare: 'keep', ...anywhere, ...params }) as Variant;
      return boundingBox(made.mask as Mask);
    };
    expect(boxOf({ x: 0, y: 1 })).toMatchObject({ x: 0, y: 70, width: 40, height: 20 });
    expect(boxOf({ x: 0.5, y: 0.25 })).toMatchObject({ x: 40, y: 13 });
    expect(boxOf({ x: 0.25, y: 0.75 })).toMatchObject({ x: 10, y: 58 });
    expect(boxOf({ x: 0.5 }).y).toBe(boxOf({}).y);
    expect(boxOf({ y: 0.5 }).x).toBe(boxOf({}).x);
  });

  it('turns the object about its own middle, whole', () => {
    const { image, mask } = rectangle(120, 90, 30, 30, 40, 20);
    const turned = (degrees: number) =>
      position.apply(sceneOf(image, mask), { areaShare: 'keep', ...anywhere, x: 1, y: 1, degrees }) as Variant;
    const quarter = boundingBox(turned(90).mask as Mask);
    expect(quarter).toEqual({ x: 100, y: 50, width: 20, height: 40 });
    const { x, y, width, height } = boundingBox(turned(30).mask as Mask);
    // A rectangle of 40 × 20 turned by 30° spans 40 cos + 20 sin by 40 sin + 20 cos.
    expect(Math.abs(width - 44.6)).toBeLessThan(2);
    expect(Math.abs(height - 37.3)).toBeLessThan(2);
    expect([x + width, y + height]).toEqual([120, 90]);
    const { data } = turned(30).image;
    const middle = (Math.round(y + height / 2) * 120 + Math.round(x + width / 2)) * 3;
    expect([...data.slice(middle, middle + 3)]).toEqual([200, 20, 20]);
  });
});

describe('pixels of unknown truth', () => {
  it('move with the object', () => {
    const { image, mask } = rectangle(120, 90, 30, 30, 40, 20);
    const ignore = new Uint8Array(120 * 90);
    for (let y = 30; y < 50; y++) ignore.fill(255, y * 120 + 30, y * 120 + 40);
    const scene = sceneOf(image, { ...mask, ignore });
    for (const made of [
      position.apply(scene, { areaShare: 'keep', ...anywhere }),
      size.apply(scene, { areaShare: 0.3, blend: 'none' }),
      size.apply(scene, { areaShare: 0.03, blend: 'none' }),
      direction.apply(scene, { degrees: 180, range: 45, blend: 'none' }),
    ] as Variant[]) {
      const moved = made.mask as Mask;
      const unknown = moved.ignore?.filter((v, i) => v && moved.data[i]).length ?? 0;
      expect(unknown / moved.data.filter((v) => v).length).toBeCloseTo(0.25, 1);
    }
  });
});

describe('paste-back', () => {
  it('is the photograph but for the rim the filling takes along', () => {
    const { image, mask } = rectangle(60, 50, 20, 15, 20, 20);
    image.data.set([255, 255, 255], (14 * 60 + 25) * 3);
    const made = (pasteBack.apply(sceneOf(image, mask), { border: 'auto' }) as Variant).image;
    const changed = new Set<number>();
    made.data.forEach((v, i) => {
      if (v !== image.data[i]) changed.add(Math.floor(i / 3));
    });
    expect([...changed]).toEqual([14 * 60 + 25]);
  });
});
