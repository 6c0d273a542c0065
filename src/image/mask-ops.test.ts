import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blob, hash } from '../../test/fixtures/image/picture.ts';
import { reference } from '../../test/fixtures/image/reference.ts';
import {
  area,
  areaShare,
  boundary,
  boundingBox,
  components,
  dilate,
  erode,
  fillHoles,
  iou,
  largestParts,
} from './mask-ops.ts';
import { createMask, type Mask } from './raster.ts';

interface Case {
  op: string;
  source: [number, number, number];
  connectivity: 4 | 8;
  count: number;
  areas: number[];
  radius: number;
  shape: 'disc' | 'square';
  dilate: string;
  erode: string;
  mask: string;
}

const cases = (op: string): Case[] => reference.masks.filter((c: Case) => c.op === op);

/** A mask drawn with `#`. */
function drawn(...rows: string[]): Mask {
  const data = Uint8Array.from(rows.join(''), (c) => (c === '#' ? 255 : 0));
  return createMask(rows[0].length, rows.length, data);
}

const someMask = fc
  .record({ width: fc.integer({ min: 1, max: 12 }), height: fc.integer({ min: 1, max: 12 }) })
  .chain(({ width, height }) =>
    fc
      .array(fc.constantFrom(0, 255), { minLength: width * height, maxLength: width * height })
      .map((data) => createMask(width, height, Uint8Array.from(data))),
  );

describe('parts', () => {
  it.each(cases('components'))('of $source as OpenCV counts them, $connectivity neighbours', (c) => {
    const { count, areas, labels } = components(blob(...c.source), c);
    expect(count).toBe(c.count);
    expect([...areas.subarray(1)].sort((a, b) => a - b)).toEqual(c.areas);
    expect(areas.reduce((sum, n) => sum + n, 0)).toBe(labels.length);
  });

  it('keep their reading order', () => {
    const { labels } = components(drawn('.#.#', '.#..', '#..#'), { connectivity: 4 });
    expect([...labels]).toEqual([0, 1, 0, 2, 0, 1, 0, 0, 3, 0, 0, 4]);
  });

  it('that are small beside the largest go', () => {
    const mask = drawn('###..#', '###...', '...#.#', '##...#');
    expect(largestParts(mask, { minShare: 0.3, connectivity: 4 })).toEqual(
      drawn('###...', '###...', '.....#', '##...#'),
    );
    expect(largestParts(mask, { minShare: 1 })).toEqual(drawn('###...', '###...', '...#..', '......'));
    expect(area(largestParts(createMask(3, 3)))).toBe(0);
  });

  it.each(cases('fill'))('of $source with holes filled as SciPy fills them', (c) => {
    expect(hash(fillHoles(blob(...c.source)).data)).toBe(c.mask);
  });

  it('filled twice are filled once', () => {
    fc.assert(
      fc.property(someMask, (mask) => {
        const once = fillHoles(mask);
        expect(fillHoles(once)).toEqual(once);
        expect(iou(once, mask) <= 1).toBe(true);
      }),
    );
  });
});

describe('morphology', () => {
  it.each(cases('morphology'))('of $source, $shape of radius $radius, as OpenCV', (c) => {
    const mask = blob(...c.source);
    expect(hash(dilate(mask, c).data)).toBe(c.dilate);
    expect(hash(erode(mask, c).data)).toBe(c.erode);
    expect(hash(dilate(mask, { ...c, radius: c.radius - 1 }).data)).not.toBe(c.dilate);
  });

  it('with a fractional disc takes exactly the pixels within it', () => {
    fc.assert(
      fc.property(someMask, fc.double({ min: 0, max: 6, noNaN: true }), (mask, radius) => {
        const { width, height, data } = mask;
        const out = dilate(mask, { radius });
        for (let i = 0; i < data.length; i++) {
          const near = data.some((v, j) => {
            const dx = (i % width) - (j % width);
            const dy = Math.floor(i / width) - Math.floor(j / width);
            return v !== 0 && dx * dx + dy * dy <= radius * radius;
          });
          expect(out.data[i] !== 0, `${width}×${height} at ${i}`).toBe(near);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('measures', () => {
  it('counts pixels wherever the mask lies in memory, and of any length', () => {
    const bytes = Uint8Array.from({ length: 64 }, (_, i) => ((i * 7) % 5 < 2 ? 255 : 0));
    for (let start = 0; start < 9; start++)
      for (let length = 0; length < 40; length++) {
        const data = bytes.subarray(start, start + length);
        expect(area(createMask(length, 1, data))).toBe(data.filter((value) => value === 255).length);
      }
  });

  it('of a drawn mask', () => {
    const mask = drawn('......', '..##..', '.###..', '......');
    expect(areaShare(mask)).toBeCloseTo(5 / 24);
    expect(boundingBox(mask)).toEqual({ x: 1, y: 1, width: 3, height: 2 });
    expect(boundingBox(createMask(4, 3))).toEqual({ x: 0, y: 0, width: 0, height: 0 });
  });

  it('boundary is what erosion by a cross takes, and the edge', () => {
    expect(boundary(drawn('....', '.###', '.###', '.###'))).toEqual(drawn('....', '.###', '.#.#', '.###'));
  });

  it('overlap leaves out what either mask ignores', () => {
    const a = { ...drawn('##..'), ignore: drawn('#...').data };
    const b = drawn('.##.');
    expect(iou(a, b)).toBe(1 / 2);
    expect(iou(drawn('##..'), b)).toBe(1 / 3);
    expect(iou(createMask(2, 2), createMask(2, 2))).toBe(1);
    expect(() => iou(a, createMask(2, 2))).toThrow('do not fit on each other');
  });

  it('IoU is a share, the same either way round, for all masks', () => {
    fc.assert(
      fc.property(someMask, someMask, (a, other) => {
        const b = createMask(
          a.width,
          a.height,
          a.data.map((_, i) => other.data[i % other.data.length]),
        );
        const j = iou(a, b);
        expect(j).toBeGreaterThanOrEqual(0);
        expect(j).toBeLessThanOrEqual(1);
        expect(iou(b, a)).toBe(j);
      }),
    );
  });
});
