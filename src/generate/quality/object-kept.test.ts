import { describe, expect, it } from 'vitest';
import { createMask, createRaster } from '../../image/raster.ts';
import { isObjectLost, objectChange, objectLost } from './object-kept.ts';

const photograph = createRaster(4, 1, Uint8Array.from([10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120]));
/** Two pixels are object, one uncertain, the last is background. */
const mask = { ...createMask(4, 1, Uint8Array.of(255, 255, 255, 0)), ignore: Uint8Array.of(0, 0, 255, 0) };
const changed = (at: Record<number, number>) => {
  const data = photograph.data.slice();
  for (const [i, value] of Object.entries(at)) data[Number(i)] = value;
  return createRaster(4, 1, data);
};

describe('was the object kept', () => {
  it('looks at sure pixels alone', () => {
    const made = changed({ 6: 255, 9: 0, 10: 0 });
    expect(objectChange(made, photograph, mask)).toEqual({ pixels: 2, mean: 0, largest: 0, changedShare: 0 });
    const soft = { ...createMask(4, 1, mask.data), soft: Uint8Array.of(255, 200, 0, 0) };
    expect(objectChange(changed({ 3: 0 }), photograph, soft)).toMatchObject({ pixels: 1, largest: 0 });
    expect(objectChange(made, photograph, createMask(4, 1))).toBeNull();
  });

  it('gives mean, largest difference and the share of pixels that changed', () => {
    // 34 and 2 levels in the first pixel, 24 in the second, which is not more than 24.
    const change = objectChange(changed({ 0: 44, 1: 18, 5: 36 }), photograph, mask);
    expect(change).toEqual({ pixels: 2, mean: (34 + 2 + 24) / 6, largest: 34, changedShare: 0.5 });
  });

  it('drops with a reason where more changed than allowed, and only there', () => {
    const change = { pixels: 100, mean: 9, largest: 90, changedShare: 0.31 };
    const reason = 'object not kept (31.0 % of its sure pixels changed by more than 24 levels, at most 20.0 %)';
    expect(objectLost(change)).toBe(reason);
    expect(isObjectLost(reason)).toBe(true);
    expect(objectLost(change, 0.31)).toBeUndefined();
  });
});
