import { describe, expect, it } from 'vitest';
import { iou } from '../image/mask-ops.ts';
import { createMask, createRaster } from '../image/raster.ts';
import { grabCut } from './grabcut.ts';

/** A red disc before a wavy green ground. */
function disc(cx: number, cy: number, radius: number) {
  const [image, mask] = [createRaster(96, 72), createMask(96, 72)];
  for (let i = 0; i < mask.data.length; i++) {
    const [x, y] = [i % 96, Math.floor(i / 96)];
    const inside = Math.hypot(x - cx, y - cy) < radius;
    mask.data[i] = inside ? 255 : 0;
    image.data.set(inside ? [200 + ((x * 7) % 20), 40, 50] : [40, 120 + ((x * 5 + y * 3) % 30), 60], i * 3);
  }
  return { image, mask };
}

describe('grabCut', () => {
  it('finds an object about the middle without a box, the same each time', async () => {
    const { image, mask } = disc(48, 36, 18);
    const found = await grabCut(image);
    expect(iou(mask, found)).toBeGreaterThan(0.95);
    expect((await grabCut(image)).data).toEqual(found.data);
  });

  it('finds an object off the middle by its box', async () => {
    const { image, mask } = disc(20, 18, 11);
    expect(iou(mask, await grabCut(image, { box: [6, 4, 28, 28] }))).toBeGreaterThan(0.95);
    expect(iou(mask, await grabCut(image, { box: [60, 40, 20, 20] }))).toBeLessThan(0.1);
  });
});
