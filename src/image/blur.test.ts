import { describe, expect, it } from 'vitest';
import { blob, hash, largestDifference, picture, pictureBytes } from '../../test/fixtures/image/picture.ts';
import { bytes, reference } from '../../test/fixtures/image/reference.ts';
import { gaussianBlur, gaussianBlurPlane } from './blur.ts';
import { compose } from './compose.ts';
import { gaussianKernelFixed } from './gaussian-kernel.ts';

interface Case {
  op: string;
  source: [number, number, number];
  kernel: number;
  sigma: number;
  rgb: string;
  grey?: string;
  pixels?: string;
}

const cases: Case[] = reference.blur;

describe('gaussianBlur', () => {
  it.each(cases.filter((c) => c.op === 'gaussian' && c.grey))('equals OpenCV: $source kernel $kernel σ $sigma', (c) => {
    const [w, h, seed] = c.source;
    expect(hash(gaussianBlur(picture(w, h, seed), c).data)).toBe(c.rgb);
    const grey = { width: w, height: h, data: pictureBytes(w, h, 1, seed) };
    expect(hash(gaussianBlurPlane(grey, 1, c))).toBe(c.grey);
  });

  it('is told apart from a wrong kernel, a wrong σ and swapped channels', () => {
    const c = cases.find((c) => c.pixels)!;
    const right = bytes(c.pixels!);
    const image = picture(...c.source);
    expect(largestDifference(gaussianBlur(image, c).data, right)).toBe(0);
    expect(largestDifference(gaussianBlur(image, { kernel: 13, sigma: 3 }).data, right)).toBeGreaterThan(1);
    expect(largestDifference(gaussianBlur(image, { kernel: 15, sigma: 2.5 }).data, right)).toBeGreaterThan(1);
    expect(largestDifference(gaussianBlur(image, { kernel: 15, sigma: 0 }).data, right)).toBeGreaterThan(1);
    const swapped = image.data.map((_, i) => image.data[i - (i % 3) + 2 - (i % 3)]);
    expect(largestDifference(gaussianBlur({ ...image, data: swapped }, c).data, right)).toBeGreaterThan(1);
  });

  it('leaves the other side of a region as it was', () => {
    const image = picture(53, 31);
    const mask = blob(53, 31);
    const blurred = gaussianBlur(image, { kernel: 9, sigma: 4 });
    const options = { kernel: 9, sigma: 4 };
    expect(gaussianBlur(image, { ...options, region: { mask, side: 'background' } })).toEqual(
      compose(image, blurred, mask),
    );
    expect(gaussianBlur(image, { ...options, region: { mask, side: 'object' } })).toEqual(
      compose(blurred, image, mask),
    );
  });

  it('is not changed by taking no time for the zeros of a kernel far wider than its σ', () => {
    const image = picture(23, 19);
    const [kernel, sigma] = [61, 1.5];
    const weights = gaussianKernelFixed(kernel, sigma);
    expect(weights[0]).toBe(0);
    const mirrored = (i: number, length: number): number => {
      const period = 2 * (length - 1);
      const at = ((i % period) + period) % period;
      return at < length ? at : period - at;
    };
    const blurred = gaussianBlur(image, { kernel, sigma });
    for (let y = 0; y < 19; y++) {
      for (let i = 0; i < 69; i++) {
        let sum = 0;
        for (let v = 0; v < kernel; v++) {
          const row = mirrored(y + v - 30, 19) * 69;
          for (let u = 0; u < kernel; u++)
            sum += weights[v] * weights[u] * image.data[row + mirrored(Math.floor(i / 3) + u - 30, 23) * 3 + (i % 3)];
        }
        expect(blurred.data[y * 69 + i]).toBe((sum + 32768) >> 16);
      }
    }
  });

  it('refuses an even kernel with one clear line', () => {
    expect(() => gaussianBlur(picture(5, 5), { kernel: 4, sigma: 1 })).toThrow('an odd number');
  });
});
