import { describe, expect, it } from 'vitest';
import { createMask, createRaster } from '../../image/raster.ts';
import { objectViews, showObject } from './remedies.ts';

const [width, height] = [40, 30];
const image = createRaster(
  width,
  height,
  Uint8Array.from({ length: width * height * 3 }, (_, i) => (Math.floor(i / 3) * 7 + (i % 3) * 31) % 256),
);
const rectangle = (x0: number, y0: number, x1: number, y1: number) =>
  createMask(
    width,
    height,
    Uint8Array.from({ length: width * height }, (_, i) => {
      const [x, y] = [i % width, Math.floor(i / width)];
      return x >= x0 && x < x1 && y >= y0 && y < y1 ? 255 : 0;
    }),
  );
const pixel = (at: typeof image, x: number, y: number) => [
  ...at.data.subarray((y * at.width + x) * 3, (y * at.width + x) * 3 + 3),
];

describe('views of the object', () => {
  it('crop to a square that holds the object, moved into the picture', () => {
    // 8 of 0.8: a square of 10, which cannot start above row 0.
    const cropped = showObject('crop-object', image, rectangle(20, 0, 28, 6));
    expect([cropped.width, cropped.height]).toEqual([10, 10]);
    expect(pixel(cropped, 0, 0)).toEqual(pixel(image, 19, 0));
    expect(pixel(cropped, 9, 9)).toEqual(pixel(image, 28, 9));
  });
  it('mirror what a square larger than the picture lacks', () => {
    const cropped = showObject('crop-object', image, rectangle(2, 2, 38, 28));
    expect([cropped.width, cropped.height]).toEqual([45, 45]);
    // The frame lies in the middle: two to three columns and seven to eight rows before it.
    expect(pixel(cropped, 2, 10)).toEqual(pixel(image, 0, 3));
    expect(pixel(cropped, 1, 10)).toEqual(pixel(image, 1, 3));
  });
  it.each(['mean-background', 'blurred-background'])('%s leaves the object as it is', (view) => {
    const mask = rectangle(10, 8, 25, 20);
    const shown = showObject(view, image, mask);
    for (let i = 0; i < mask.data.length; i++) {
      const same = [0, 1, 2].every((c) => shown.data[3 * i + c] === image.data[3 * i + c]);
      if (mask.data[i]) expect(same).toBe(true);
    }
    expect(Buffer.compare(shown.data, image.data)).not.toBe(0);
  });
  it('paints the background in its own mean colour', () => {
    const mask = rectangle(10, 8, 25, 20);
    const shown = showObject('mean-background', image, mask);
    const mean = [0, 1, 2].map((c) => {
      const values = [...mask.data].flatMap((value, i) => (value ? [] : [image.data[3 * i + c]]));
      return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
    });
    expect(pixel(shown, 0, 0)).toEqual(mean);
    expect(pixel(shown, 39, 29)).toEqual(mean);
  });
  it('show the picture as it is where nothing is marked, and refuse one without a mask', () => {
    for (const view of Object.keys(objectViews)) {
      expect(showObject(view, image, createMask(width, height))).toBe(image);
      expect(() => showObject(view, image, undefined)).toThrow('has no mask');
    }
  });
});
