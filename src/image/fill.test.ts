import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Random } from '../contracts/random.ts';
import { fillHole } from './fill.ts';
import { dilate } from './mask-ops.ts';
import { createMask, createRaster, type Mask, type Raster } from './raster.ts';

type Rgb = [number, number, number];

/** A generator for tests: the project's own lives a tier above the pixels. */
function randomFor(...seeds: (string | number)[]): Random {
  let state = [...seeds.join()].reduce(
    (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193),
    0x811c9dc5,
  );
  const uniform = () => {
    state = Math.imul(state, 1664525) + 1013904223;
    return (state >>> 0) / 2 ** 32;
  };
  const integer = (low: number, high: number) => low + Math.floor(uniform() * (high - low + 1));
  return {
    uniform,
    integer,
    normal: uniform,
    pick: (items) => items[integer(0, items.length - 1)],
    shuffle: (items) => [...items],
  };
}

const paint = (width: number, height: number, colour: (x: number, y: number) => Rgb): Raster => {
  const image = createRaster(width, height);
  for (let i = 0; i < width * height; i++) image.data.set(colour(i % width, Math.floor(i / width)), i * 3);
  return image;
};

const maskOf = (width: number, height: number, inside: (x: number, y: number) => boolean): Mask =>
  createMask(
    width,
    height,
    Uint8Array.from({ length: width * height }, (_, i) => (inside(i % width, Math.floor(i / width)) ? 255 : 0)),
  );

const disc = (width: number, height: number, radius: number) =>
  maskOf(width, height, (x, y) => Math.hypot(x - width / 2, y - height / 2) < radius);

const withObject = (background: Raster, mask: Mask, [red, green, blue]: Rgb): Raster => {
  const data = background.data.slice();
  mask.data.forEach((v, i) => {
    if (v) data.set([red, green, blue], i * 3);
  });
  return { ...background, data };
};

const meanError = (a: Raster, b: Raster, where: Mask): number => {
  let sum = 0;
  let count = 0;
  where.data.forEach((v, i) => {
    if (!v) return;
    for (let c = 0; c < 3; c++) sum += Math.abs(a.data[i * 3 + c] - b.data[i * 3 + c]);
    count += 3;
  });
  return sum / count;
};

const stripes = (x: number, y: number): Rgb => [(x + y) % 8 < 4 ? 200 : 40, y % 12 < 6 ? 180 : 60, 90];

describe('fillHole', () => {
  it('continues a regular texture as if the object had never been there', () => {
    const background = paint(96, 80, stripes);
    const mask = disc(96, 80, 18);
    const filled = fillHole(withObject(background, mask, [255, 0, 255]), mask, randomFor(1));
    // A membrane, which keeps no texture, is 60 levels off.
    expect(meanError(filled, background, mask)).toBeLessThan(8);
  });

  it('continues an edge through the hole', () => {
    const background = paint(96, 96, (_, y) => (y < 50 ? [60, 110, 200] : [150, 120, 60]));
    const mask = disc(96, 96, 20);
    const filled = fillHole(withObject(background, mask, [0, 0, 0]), mask, randomFor(1));
    expect(meanError(filled, background, mask)).toBeLessThan(6);
  });

  it('leaves nothing of the object, nor of a fringe around it', () => {
    const texture = randomFor('lawn');
    const background = paint(120, 90, () => [20 + texture.integer(0, 40), 120 + texture.integer(0, 60), 30]);
    const object = disc(120, 90, 22);
    const fringe = disc(120, 90, 23);
    const image = withObject(withObject(background, fringe, [200, 60, 120]), object, [255, 0, 255]);
    const { data } = fillHole(image, object, randomFor(1));
    expect(data.filter((_, i) => i % 3 === 0).reduce((a, b) => Math.max(a, b))).toBeLessThan(110);
  });

  it('has the texture of its surroundings, not a smear', () => {
    const texture = randomFor('gravel');
    const image = paint(120, 90, () => [texture.integer(0, 200), texture.integer(0, 200), texture.integer(0, 200)]);
    const mask = disc(120, 90, 25);
    const filled = fillHole(image, mask, randomFor(1));
    expect(contrast(filled, mask) / contrast(image, mask)).toBeGreaterThan(0.8);
  });

  it('changes nothing further from the mask than it says', () => {
    const noise = randomFor('noise');
    const image = paint(80, 60, () => [noise.integer(0, 255), noise.integer(0, 255), noise.integer(0, 255)]);
    const mask = disc(80, 60, 12);
    const filled = fillHole(image, mask, randomFor(1), { growPx: 5 });
    expect(changedOutside(image, filled, dilate(mask, { radius: 5 }))).toBe(0);
    expect(changedOutside(image, filled, dilate(mask, { radius: 3 }))).toBeGreaterThan(0);
  });

  it('gives the same bytes for the same seed, and others for another', () => {
    const texture = randomFor('noise');
    const image = paint(70, 50, () => [texture.integer(0, 255), texture.integer(0, 255), texture.integer(0, 255)]);
    const mask = disc(70, 50, 14);
    const first = fillHole(image, mask, randomFor(3, 'a'));
    fillHole(paint(40, 40, stripes), disc(40, 40, 9), randomFor(9));
    expect(Buffer.compare(fillHole(image, mask, randomFor(3, 'a')).data, first.data)).toBe(0);
    expect(Buffer.compare(fillHole(image, mask, randomFor(4, 'a')).data, first.data)).not.toBe(0);
  });

  // The sums of what the kernels gave before they were made faster: patches of 7, 5 and 3 pixels, with and without
  // coarser levels, holes at the frame.
  it.each([
    [300, 220, 70, '2c7c9026e9cd8e69'],
    [70, 50, 14, '8b03180f6f006d2e'],
    [40, 60, 26, '88c21462073c3678'],
    [13, 9, 3, '19c50a0a4508e45c'],
  ])('gives the same bytes as ever, %i × %i pixels', (width, height, radius, sum) => {
    const noise = randomFor('hills', width);
    const image = paint(width, height, (x, y) => [
      Math.round(120 + 60 * Math.sin(x / 7) + 40 * Math.cos(y / 5)),
      Math.round(100 + 90 * Math.cos((x + y) / 11)) + noise.integer(0, 40),
      (x >> 3) % 2 ? 200 : noise.integer(0, 255),
    ]);
    const { data } = fillHole(image, disc(width, height, radius), randomFor(5, width));
    expect(createHash('sha256').update(data).digest('hex').slice(0, 16)).toBe(sum);
  });

  it('fills a full mask with the mean colour and leaves an empty one alone', () => {
    const image = paint(9, 7, (x) => [x < 3 ? 30 : 60, 10, 200]);
    const full = fillHole(image, createMask(9, 7, new Uint8Array(63).fill(255)), randomFor(1));
    expect([...full.data.subarray(0, 6)]).toEqual([50, 10, 200, 50, 10, 200]);
    const untouched = fillHole(image, createMask(9, 7), randomFor(1));
    expect(untouched.data).toEqual(image.data);
    expect(untouched.data).not.toBe(image.data);
  });

  it('keeps to the colours around it where almost nothing is left to copy', () => {
    const image = paint(60, 60, (x) => (x < 2 ? [200, 30, 30] : x > 57 ? [30, 30, 200] : [0, 255, 0]));
    const mask = maskOf(60, 60, (x) => x >= 2 && x <= 57);
    const { data } = fillHole(image, mask, randomFor(1));
    expect(data.filter((_, i) => i % 3 === 1).reduce((a, b) => Math.max(a, b))).toBeLessThan(60);
    expect(data[(30 * 60 + 6) * 3]).toBeGreaterThan(data[(30 * 60 + 53) * 3]);
  });

  it('carries the filling up to photographs above a megapixel', () => {
    const background = paint(1200, 1000, (x, y) => [(x >> 3) % 4 < 2 ? 200 : 40, (y >> 3) % 6 < 3 ? 180 : 60, 90]);
    const mask = disc(1200, 1000, 60);
    const filled = fillHole(withObject(background, mask, [255, 0, 255]), mask, randomFor(1));
    expect(meanError(filled, background, mask)).toBeLessThan(20);
  });

  it('survives any size and any mask, and keeps what is known', () => {
    const cases = fc.record({
      width: fc.integer({ min: 1, max: 24 }),
      height: fc.integer({ min: 1, max: 24 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      blocky: fc.boolean(),
      seed: fc.nat(),
    });
    fc.assert(
      fc.property(cases, ({ width, height, share, blocky, seed }) => {
        const random = randomFor(seed);
        const image = paint(width, height, () => [
          random.integer(0, 255),
          random.integer(0, 255),
          random.integer(0, 255),
        ]);
        const mask = blocky
          ? maskOf(width, height, (x) => x < share * width)
          : maskOf(width, height, () => random.uniform() < share);
        const filled = fillHole(image, mask, random, { growPx: 1 });
        expect([filled.width, filled.height, filled.data.length]).toEqual([width, height, width * height * 3]);
        if (mask.data.includes(0)) expect(changedOutside(image, filled, dilate(mask, { radius: 1 }))).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    [1, 1],
    [1, 40],
    [64, 1],
    [3, 2],
    [8, 8],
    [320, 3],
  ])('fills a one-pixel mask of %i×%i', (width, height) => {
    const image = paint(width, height, () => [10, 20, 30]);
    const at = Math.floor((width * height) / 2);
    image.data.set([255, 255, 255], at * 3);
    const mask = createMask(width, height);
    mask.data[at] = 255;
    const { data } = fillHole(image, mask, randomFor(1));
    if (width * height > 1) expect([...data.subarray(at * 3, at * 3 + 3)]).toEqual([10, 20, 30]);
  });
});

/** Mean difference of horizontal neighbours inside the mask. */
function contrast({ width, data }: Raster, mask: Mask): number {
  let sum = 0;
  let count = 0;
  for (let i = 1; i < mask.data.length; i++) {
    if (i % width === 0 || !mask.data[i] || !mask.data[i - 1]) continue;
    sum += Math.abs(data[i * 3] - data[i * 3 - 3]);
    count++;
  }
  return sum / count;
}

/** Pixels that differ though the mask does not cover them. */
function changedOutside(before: Raster, after: Raster, mask: Mask): number {
  let count = 0;
  for (let i = 0; i < before.data.length; i++) {
    if (!mask.data[Math.floor(i / 3)] && before.data[i] !== after.data[i]) count++;
  }
  return count;
}
