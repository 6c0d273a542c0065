import { describe, expect, it } from 'vitest';
import type { Mask } from '../../image/raster.ts';
import { maskDoubts } from './mask-doubts.ts';

const size = 100;
/** `1` object, `2` uncertain, both from a function of place. */
const mask = (at: (x: number, y: number) => number): Mask => {
  const values = Array.from({ length: size * size }, (_, i) => at(i % size, Math.floor(i / size)));
  return {
    width: size,
    height: size,
    data: Uint8Array.from(values, (value) => (value ? 255 : 0)),
    ignore: Uint8Array.from(values, (value) => (value === 2 ? 255 : 0)),
  };
};
const inside = (x: number, y: number, side: number) => x < side && y < side;
const kinds = (found: Mask) => maskDoubts(found).map(({ kind }) => kind);

describe('doubtful masks', () => {
  it('are none of an ordinary object, in three pieces, with a band around it', () => {
    expect(kinds(mask((x, y) => Number(inside(x, y, 40))))).toEqual([]);
    expect(kinds(mask((x, y) => Number(y < 20 && x % 40 < 20)))).toEqual([]);
    expect(kinds(mask((x, y) => (inside(x, y, 30) ? 1 : inside(x, y, 40) ? 2 : 0)))).toEqual([]);
    expect(kinds(mask(() => 0))).toEqual([]);
  });
  it('are tiny below a hundredth of the image', () => {
    expect(kinds(mask((x, y) => Number(inside(x, y, 10))))).toEqual([]);
    expect(maskDoubts(mask((x, y) => Number(inside(x, y, 9))))).toEqual([
      { kind: 'tiny', message: 'the object is 0.8 % of the image', severity: expect.closeTo(0.19, 2) },
    ]);
  });
  it('are in pieces from four on, and worse the smaller the largest', () => {
    const [four] = maskDoubts(mask((x, y) => Number(y < 20 && x % 25 < 12)));
    expect(four).toMatchObject({ kind: 'pieces', message: 'the object is in 4 pieces, the largest 25 % of it' });
    const [specks] = maskDoubts(mask((x, y) => Number(inside(x, y, 60) || (y > 70 && x % 4 === 0 && y % 8 === 0))));
    expect(specks.message).toMatch(/specks lie apart/);
    expect(four.severity).toBeGreaterThan(specks.severity);
  });
  it('are uncertain where more than half of them is', () => {
    const banded = (sure: number) => maskDoubts(mask((x, y) => (inside(x, y, sure) ? 1 : inside(x, y, 60) ? 2 : 0)));
    expect(banded(50)).toEqual([]);
    expect(banded(30)).toMatchObject([{ kind: 'uncertain', message: '75 % of the object is uncertain border' }]);
  });
});
