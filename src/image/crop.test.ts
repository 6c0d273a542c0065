import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { picture } from '../../test/fixtures/image/picture.ts';
import { crop } from './crop.ts';
import { resize, resizeCrop } from './resize.ts';

describe('crop', () => {
  it('is black outside the image', () => {
    const image = picture(5, 4);
    fc.assert(
      fc.property(
        fc.integer({ min: -9, max: 9 }),
        fc.integer({ min: -9, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        (x, y, width, height) => {
          const out = crop(image, x, y, width, height);
          expect([out.width, out.height, out.data.length]).toEqual([width, height, width * height * 3]);
          const wanted = Uint8Array.from({ length: width * height * 3 }, (_, i) => {
            const column = x + (Math.floor(i / 3) % width);
            const row = y + Math.floor(i / 3 / width);
            const inside = column >= 0 && column < 5 && row >= 0 && row < 4;
            return inside ? image.data[(row * 5 + column) * 3 + (i % 3)] : 0;
          });
          expect(out.data).toEqual(wanted);
        },
      ),
    );
  });
});

describe('resizeCrop', () => {
  it('refuses a window that sticks out', () => {
    const window = { x: 3, y: 0, width: 3, height: 2 };
    expect(() => resizeCrop(picture(9, 9), 5, 5, 'bilinear', window)).toThrow('3×2 at 3, 0 does not lie in 5×5');
    expect(() => resize(picture(9, 9), 0, 5, 'bilinear')).toThrow('does not lie in');
  });

  it('equals resize, then crop', () => {
    const filters = ['nearest', 'box', 'bilinear', 'hamming', 'bicubic', 'lanczos'] as const;
    const size = fc.integer({ min: 1, max: 50 });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(size, size, size, size, share, share, fc.constantFrom(...filters), (w, h, tw, th, a, b, filter) => {
        const image = picture(w, h);
        const x = Math.floor(a * (tw - 1));
        const y = Math.floor(b * (th - 1));
        const window = { x, y, width: Math.ceil((tw - x) / 2), height: Math.ceil((th - y) / 2) };
        const whole = crop(resize(image, tw, th, filter), x, y, window.width, window.height);
        expect(resizeCrop(image, tw, th, filter, window)).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });
});
