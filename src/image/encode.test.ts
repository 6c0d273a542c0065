import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { blob, largestDifference, picture, pictureBytes } from '../../test/fixtures/image/picture.ts';
import { decodeImage } from './decode.ts';
import { encodeImage, encodeMask } from './encode.ts';
import { resize } from './resize.ts';

const smooth = resize(picture(9, 7), 90, 70, 'bicubic');

describe('encodeImage', () => {
  it('PNG comes back as it was, at any size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }), async (width, height) => {
        const image = picture(width, height);
        expect(await decodeImage(await encodeImage(image, { format: 'png' }))).toEqual(image);
      }),
      { numRuns: 20 },
    );
  });

  it.each(['jpeg', 'webp'] as const)('%s comes back nearly, and nearer at a higher quality', async (format) => {
    const off = async (quality: number) => {
      const back = await decodeImage(await encodeImage(smooth, { format, quality }));
      return smooth.data.reduce((sum, v, i) => sum + Math.abs(v - back.data[i]), 0) / smooth.data.length;
    };
    expect(await off(90)).toBeLessThan(3);
    expect(await off(40)).toBeGreaterThan(await off(95));
  });

  it('JPEG keeps full colour unless told', async () => {
    const sampling = async (chromaSubsampling?: '4:2:0') =>
      (await sharp(await encodeImage(smooth, { format: 'jpeg', chromaSubsampling })).metadata()).chromaSubsampling;
    expect(await sampling()).toBe('4:4:4');
    expect(await sampling('4:2:0')).toBe('4:2:0');
  });

  it.each(['jpeg', 'png', 'webp'] as const)('%s is the same bytes each time', async (format) => {
    const all = await Promise.all([1, 2, 3].map(() => encodeImage(smooth, { format })));
    expect(all[1]).toEqual(all[0]);
    expect(all[2]).toEqual(all[0]);
  });

  it('writes alpha, and the colours beneath it', async () => {
    const image = picture(21, 13);
    const alpha = pictureBytes(21, 13, 1, 4);
    const file = await encodeImage(image, { format: 'png', alpha });
    const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
    expect(info.channels).toBe(4);
    expect(new Uint8Array(data.filter((_, i) => i % 4 === 3))).toEqual(alpha);
    expect(await decodeImage(file, { mode: 'pillow' })).toEqual(image);
    const webp = await encodeImage(image, { format: 'webp', alpha });
    expect((await sharp(webp).metadata()).hasAlpha).toBe(true);
  });
});

describe('encodeMask', () => {
  it('is one channel of 0 and 255', async () => {
    const mask = blob(33, 21);
    const file = await encodeMask(mask);
    const { data, info } = await sharp(file).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
    expect((await sharp(file).metadata()).channels).toBe(1);
    expect([info.width, info.height]).toEqual([33, 21]);
    expect(largestDifference(data, mask.data)).toBe(0);
  });
});
