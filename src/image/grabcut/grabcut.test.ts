import { describe, expect, it } from 'vitest';
import { SampleError } from '../../contracts/errors.ts';
import { iou } from '../mask-ops.ts';
import { createMask, createRaster } from '../raster.ts';
import { grabCut } from './grabcut.ts';

/** A red disc before a wavy green ground. */
function disc(cx: number, cy: number, radius: number, width = 96, height = 72) {
  const [image, mask] = [createRaster(width, height), createMask(width, height)];
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      const inside = (x - cx) ** 2 + (y - cy) ** 2 < radius ** 2;
      mask.data[i] = inside ? 255 : 0;
      image.data[3 * i] = inside ? 200 + ((x * 7) % 20) : 40;
      image.data[3 * i + 1] = inside ? 40 : 120 + ((x * 5 + y * 3) % 30);
      image.data[3 * i + 2] = inside ? 50 : 60;
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

  it("cuts a camera's photograph, its edge to the pixel", async () => {
    const { image, mask } = disc(1050, 750, 400, 2016, 1512);
    const found = await grabCut(image);
    // One pixel of the small picture is 6.3 of the large one: without the refinement 0.99 is not reached.
    expect(iou(mask, found)).toBeGreaterThan(0.998);
    const boxed = await grabCut(image, { box: [600, 300, 900, 900] });
    expect(iou(mask, boxed)).toBeGreaterThan(0.998);
  });

  it('heeds hints to the pixel, and learns from them, also where the picture is cut small', async () => {
    for (const scale of [1, 8]) {
      const [width, height] = [96 * scale, 72 * scale];
      const { image, mask } = disc(30 * scale, 36 * scale, 14 * scale, width, height);
      const second = disc(68 * scale, 36 * scale, 10 * scale, width, height);
      // Another disc of the same red: by colour alone it is object.
      for (let i = 0; i < mask.data.length; i++)
        if (second.mask.data[i]) image.data.set(second.image.data.subarray(3 * i, 3 * i + 3), 3 * i);
      const box: [number, number, number, number] = [10 * scale, 10 * scale, 76 * scale, 50 * scale];
      expect(iou(mask, await grabCut(image, { box }))).toBeLessThan(0.8);
      const hints = new Uint8Array(width * height);
      for (let i = 0; i < hints.length; i++) hints[i] = second.mask.data[i] ? 2 : 0;
      hints[36 * scale * width + 30 * scale] = 1;
      const found = await grabCut(image, { box, hints });
      expect(found.data.some((value, i) => value > 0 && hints[i] === 2)).toBe(false);
      expect(found.data[36 * scale * width + 30 * scale]).toBe(255);
      expect(iou(mask, found)).toBeGreaterThan(0.9);
    }
  });

  it('fails for a picture by itself, and cuts the next one', async () => {
    const { image, mask } = disc(48, 36, 18);
    const error = await grabCut(image, { box: [200, 200, 10, 10] }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(SampleError);
    expect((error as SampleError).message).toMatch(/^GrabCut failed on 96 × 72 pixels: .*is its box inside/);
    expect(iou(mask, await grabCut(image))).toBeGreaterThan(0.95);
  });
});
