import { describe, expect, it } from 'vitest';
import { iou } from '../mask-ops.ts';
import { createMask, createRaster } from '../raster.ts';
import { resize, resizePlane } from '../resize.ts';
import { refineEdge } from './refine-edge.ts';

/** A tilted bar with teeth, finer than a pixel of the small picture. */
function comb(width: number, height: number) {
  const [image, mask] = [createRaster(width, height), createMask(width, height)];
  for (let i = 0; i < mask.data.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const inside = x > width * 0.3 + (y % 12 < 6 ? 6 : 0) && x < width * 0.7 && y > height * 0.2 && y < height * 0.8;
    mask.data[i] = inside ? 255 : 0;
    image.data.set(inside ? [200, 60 + (y % 9), 40] : [50, 70, 140 + (x % 7)], i * 3);
  }
  return { image, mask };
}

describe('refineEdge', () => {
  it('finds the edge that the large picture has', () => {
    const { image, mask } = comb(320, 240);
    const small = resize(image, 80, 60, 'box');
    const coarse = createMask(
      80,
      60,
      resizePlane(mask, 1, 80, 60, 'box').map((v) => (v >= 128 ? 255 : 0)),
    );
    const plain = createMask(320, 240, resizePlane(coarse, 1, 320, 240, 'nearest'));
    const refined = refineEdge(image, small, coarse);
    expect(iou(mask, plain)).toBeLessThan(0.985);
    expect(iou(mask, refined)).toBeGreaterThan(0.995);
  });

  it('leaves what is far from the edge to the small mask', () => {
    const { image, mask } = comb(160, 120);
    const small = resize(image, 40, 30, 'box');
    const wrong = createMask(40, 30);
    for (let y = 0; y < 30; y++) wrong.data.fill(255, y * 40 + 28, y * 40 + 40);
    const refined = refineEdge(image, small, wrong);
    expect(refined.data[60 * 160 + 80]).toBe(0);
    expect(mask.data[60 * 160 + 80]).toBe(255);
    expect(refined.data[60 * 160 + 158]).toBe(255);
  });
});
