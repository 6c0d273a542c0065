import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapNumbers } from './numbers.ts';

const maskOf = (data: number[], ignore?: number[]) => ({
  width: data.length,
  height: 1,
  data: Uint8Array.from(data, (value) => 255 * value),
  ...(ignore && { ignore: Uint8Array.from(ignore, (value) => 255 * value) }),
});

describe('mapNumbers', () => {
  it('counts neither what was not shown nor the uncertain border, and negative saliency as none', () => {
    const map = Float32Array.of(Number.NaN, 2, 1, -4, 3, 9);
    const found = mapNumbers(map, maskOf([1, 1, 0, 1, 0, 0], [0, 0, 0, 0, 0, 1]));
    expect(found).toMatchObject({ areaShare: 0.5, pointing: 0, negativeShare: 0.4 });
    expect(found.shareOnObject).toBeCloseTo(2 / 6, 12);
    expect(found.objectShown).toBeCloseTo(2 / 3, 12);
    // The two most salient pixels are 4 and 1; the object is 1 and 3.
    expect(found.iou).toBeCloseTo(1 / 3, 12);
  });

  it('has no numbers where there is no mask, no object in view or no saliency', () => {
    expect(mapNumbers(Float32Array.of(1, 2), undefined).shareOnObject).toBeNaN();
    expect(mapNumbers(Float32Array.of(Number.NaN, 2), maskOf([1, 0])).shareOnObject).toBeNaN();
    expect(mapNumbers(Float32Array.of(-1, 0), maskOf([1, 0])).reliance).toBeNaN();
  });

  it('does not depend on the scale of the map, and shares add up', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -20, max: 50 }), fc.boolean()), { minLength: 2, maxLength: 60 }),
        fc.constantFrom(0.5, 2, 64),
        (pixels, factor) => {
          const mask = maskOf(pixels.map(([, isObject]) => (isObject ? 1 : 0)));
          const map = Float32Array.from(pixels, ([value]) => value);
          const found = mapNumbers(map, mask);
          expect(
            mapNumbers(
              map.map((value) => value * factor),
              mask,
            ),
          ).toEqual(found);
          if (Number.isNaN(found.shareOnObject)) return;
          expect(found.shareOnObject + found.reliance).toBeCloseTo(1, 12);
          expect(found.iou).toBeGreaterThanOrEqual(0);
          expect(found.iou).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
