import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hash, picture, pictureBytes } from '../../test/fixtures/image/picture.ts';
import { reference } from '../../test/fixtures/image/reference.ts';
import { type Box, type ResizeFilter, resize, resizeMask, resizePlane } from './resize.ts';

interface Case {
  source: [number, number, number];
  size: [number, number];
  filter: ResizeFilter;
  box?: Box;
  rgb: string;
  grey: string;
  many?: [number, number, number, number][];
}

const cases: Case[] = reference.resize;

describe('resize', () => {
  it('starts from the pictures the references were made of', () => {
    expect(hash(picture(37, 29, 1).data)).toBe(reference.picture.rgb);
    expect(hash(pictureBytes(37, 29, 1, 1))).toBe(reference.picture.grey);
  });

  it.each(cases.filter((c) => !c.many))('equals Pillow: $source → $size, $filter, box $box', (c) => {
    const [w, h, seed] = c.source;
    expect(hash(resize(picture(w, h, seed), ...c.size, c.filter, c.box).data)).toBe(c.rgb);
    const grey = { width: w, height: h, data: pictureBytes(w, h, 1, seed) };
    expect(hash(resizePlane(grey, 1, ...c.size, c.filter, c.box))).toBe(c.grey);
  });

  it.each(cases.filter((c) => c.many))('equals Pillow over many sizes: $filter', ({ many = [], filter, rgb }) => {
    const together = createHash('sha256');
    for (const [w, h, tw, th] of many) together.update(resize(picture(w, h, 3), tw, th, filter).data);
    expect(together.digest('hex').slice(0, 24)).toBe(rgb);
  });

  it('tells filters apart', () => {
    const c = cases.find((c) => c.filter === 'bilinear' && c.source[0] === 91)!;
    const [w, h, seed] = c.source;
    for (const filter of ['nearest', 'box', 'hamming', 'bicubic', 'lanczos'] as const) {
      expect(hash(resize(picture(w, h, seed), ...c.size, filter).data)).not.toBe(c.rgb);
    }
  });

  it('keeps masks to two values and carries what is unknown along', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }), (w, h) => {
        const data = pictureBytes(13, 11, 1, 2).map((v) => (v > 127 ? 255 : 0));
        const out = resizeMask({ width: 13, height: 11, data, ignore: data }, w, h);
        expect(new Set([...out.data, 0, 255]).size).toBe(2);
        expect(out.ignore).toEqual(out.data);
      }),
    );
  });
});
