import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRaster } from '../image/raster.ts';
import { cover } from './cover.ts';

/** Levels rise by column in red and by row in green. */
const ramp = (width: number, height: number) =>
  createRaster(
    width,
    height,
    Uint8Array.from({ length: width * height * 3 }, (_, i) => {
      const pixel = Math.floor(i / 3);
      return i % 3 === 0 ? pixel % width : i % 3 === 1 ? Math.floor(pixel / width) : 0;
    }),
  );

it('keeps a picture of the same size as it is', () => {
  expect(cover(ramp(20, 10), 20, 10)).toEqual(ramp(20, 10));
});

it('shows the middle of a wider picture, and all of its height', () => {
  const fitted = cover(ramp(200, 50), 50, 50);
  expect(fitted.data[0]).toBe(75);
  expect(fitted.data[49 * 3]).toBe(124);
  expect(fitted.data[(49 * 50 + 0) * 3 + 1]).toBe(49);
});

it('scales both directions alike', () => {
  const fitted = cover(ramp(100, 200), 50, 50);
  const at = (x: number, y: number, c: number) => fitted.data[(y * 50 + x) * 3 + c];
  expect(at(40, 0, 0) - at(10, 0, 0)).toBe(60);
  expect(at(0, 40, 1) - at(0, 10, 1)).toBe(60);
});

it('covers any frame with any picture', () => {
  const side = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(side, side, side, side, (w, h, width, height) => {
      const white = createRaster(w, h, new Uint8Array(w * h * 3).fill(255));
      const fitted = cover(white, width, height);
      expect([fitted.width, fitted.height]).toEqual([width, height]);
      expect(fitted.data.every((level) => level === 255)).toBe(true);
    }),
  );
});
