import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { hash, largestDifference, picture, pictureBytes } from '../../test/fixtures/image/picture.ts';
import { bytes } from '../../test/fixtures/image/reference.ts';
import { SampleError, type SampleProblem } from '../contracts/errors.ts';
import { decodeDetailed, decodeImage, inspectImage } from './decode.ts';
import { encodeImage } from './encode.ts';
import type { DecodeDifference } from './format.ts';
import { createRaster } from './raster.ts';
import { resize } from './resize.ts';
import { rotate } from './transform.ts';

const folder = new URL('../../test/fixtures/image/', import.meta.url);
const at = (name: string) => fileURLToPath(new URL(`files/${name}`, folder));
const fixture = JSON.parse(readFileSync(new URL('files.json', folder), 'utf8'));
const files: [string, { rgb?: string; width: number; height: number }][] = Object.entries(fixture.files);

const different: Record<string, DecodeDifference[]> = {
  'cmyk.jpg': ['cmyk'],
  'cmyk-no-adobe.jpg': ['cmyk'],
  'cmyk.tif': ['cmyk'],
  'grey16.png': ['sixteen-bit-grey'],
  'grey16-low.png': ['sixteen-bit-grey'],
  'grey16.tif': ['sixteen-bit-grey'],
  'grey16-signed.tif': ['sixteen-bit-grey'],
  'grey16-key.png': ['alpha', 'sixteen-bit-grey'],
  'wide-profile.jpg': ['profile'],
  'wide-profile.png': ['profile'],
  'orientation-6.png': ['orientation'],
  'orientation-6.webp': ['orientation'],
  ...Object.fromEntries([2, 3, 4, 5, 6, 7, 8].map((n) => [`orientation-${n}.jpg`, ['orientation']])),
  ...Object.fromEntries(
    [
      ...[
        'alpha.webp',
        'alpha-lossy.webp',
        'rgba.png',
        'rgba.tif',
        'rgba16.png',
        'la.png',
        'la.tif',
        'la16.png',
        'rgb-key.png',
      ],
      ...['grey-key.png', 'palette-transparent.png', 'palette-one-transparent.png', 'transparent.gif', 'alpha.bmp'],
      ...['part.gif', 'part-transparent.gif'],
    ].map((name) => [name, ['alpha']]),
  ),
};

describe('decodeImage', () => {
  it('reads as Pillow unless told otherwise', async () => {
    for (const name of ['orientation-6.jpg', 'wide-profile.jpg', 'rgba.png', 'cmyk.jpg', 'grey16.png'])
      expect(hash((await decodeImage(at(name))).data), name).toBe(fixture.files[name].rgb);
  });

  it.each(files.filter(([, f]) => f.rgb))('%s as Pillow', async (name, { rgb, width, height }) => {
    const image = await decodeImage(at(name), { mode: 'pillow' });
    expect([image.width, image.height]).toEqual([width, height]);
    expect(hash(image.data)).toBe(rgb);
  });

  it.each(files.filter(([, f]) => f.rgb))('%s corrected: as Pillow unless said', async (name, { rgb }) => {
    const { image, differences } = await decodeDetailed(at(name), { mode: 'corrected' });
    expect(differences).toEqual(different[name] ?? []);
    if (differences.length === 0) expect(hash(image.data)).toBe(rgb);
    else expect(hash(image.data)).not.toBe(rgb);
  });

  it('turns upright by EXIF', async () => {
    const stored = await decodeImage(at('rgb-sub2.jpg'));
    const mirror = (image = stored) => {
      const out = createRaster(image.width, image.height);
      for (let i = 0; i < image.width * image.height; i++) {
        const x = i % image.width;
        const from = (i - x + image.width - 1 - x) * 3;
        out.data.set(image.data.subarray(from, from + 3), i * 3);
      }
      return out;
    };
    const turn = (degrees: number, image = stored) => rotate(image, degrees, { expand: true });
    const upright = [mirror(), turn(180), mirror(turn(180)), mirror(turn(270)), turn(270), mirror(turn(90)), turn(90)];
    for (const [i, expectation] of upright.entries()) {
      const image = await decodeImage(at(`orientation-${i + 2}.jpg`), { mode: 'corrected' });
      expect(image, `orientation ${i + 2}`).toEqual(expectation);
    }
  });

  it('brings wide colours to sRGB as LittleCMS does, within two levels', async () => {
    for (const [name, pixels] of Object.entries<string>(fixture.lcms)) {
      const { data } = await decodeImage(at(name), { mode: 'corrected' });
      expect(largestDifference(data, bytes(pixels))).toBeLessThanOrEqual(2);
      expect(largestDifference((await decodeImage(at(name), { mode: 'pillow' })).data, bytes(pixels))).toBeGreaterThan(
        20,
      );
    }
  });

  it('keeps the high byte of 16-bit grey', async () => {
    const { data } = await decodeImage(at('grey16.png'), { mode: 'corrected' });
    const high = pictureBytes(27, 21, 1, 5);
    expect(data.every((v, i) => v === high[Math.floor(i / 3)])).toBe(true);
  });

  it.each([[[255, 255, 255]], [[0, 0, 0]], [[10, 200, 77]]] as const)('flattens alpha over %j', async (colour) => {
    const { data } = await decodeImage(at('rgba.png'), { mode: 'corrected', flatten: colour });
    const under = pictureBytes(27, 21, 1, 3);
    const over = picture(27, 21, 1).data;
    for (let i = 0; i < data.length; i++) {
      const alpha = under[Math.floor(i / 3)];
      expect(data[i]).toBe(Math.round((over[i] * alpha + colour[i % 3] * (255 - alpha)) / 255));
    }
  });

  it('brings CMYK without a profile to plausible colours', async () => {
    const [corrected, plain] = await Promise.all([
      decodeImage(at('cmyk.tif'), { mode: 'corrected' }),
      decodeImage(at('cmyk.tif'), { mode: 'pillow' }),
    ]);
    const mean = (data: Uint8Array) => data.reduce((sum, v) => sum + v, 0) / data.length;
    expect(Math.abs(mean(corrected.data) - mean(plain.data))).toBeLessThan(40);
  });

  it('reads AVIF', async () => {
    const image = resize(picture(40, 30), 80, 60, 'bicubic');
    const file = await sharp(image.data, { raw: { width: 80, height: 60, channels: 3 } })
      .avif({ lossless: true })
      .toBuffer();
    for (const mode of ['corrected', 'pillow'] as const) {
      const { image: back, facts } = await decodeDetailed(file, { mode });
      expect(facts).toMatchObject({ format: 'avif', width: 80, height: 60 });
      expect(largestDifference(back.data, image.data)).toBeLessThanOrEqual(2);
    }
  });
});

describe('files that cannot be used', () => {
  const bad: Record<string, [SampleProblem, RegExp]> = {
    'empty.jpg': ['empty-file', /is empty \(0 bytes\)$/],
    'text.jpg': ['not-an-image', /is not an image that can be read/],
    'truncated.jpg': ['truncated', /cut off or damaged: .*premature end/],
    'truncated-head.jpg': ['truncated', /cut off or damaged/],
    'no-end.jpg': ['truncated', /cut off or damaged/],
    'truncated.png': ['truncated', /cut off or damaged/],
    'truncated-head.png': ['truncated', /cut off or damaged/],
    'truncated.webp': ['truncated', /cut off or damaged/],
    'truncated.bmp': ['truncated', /cut off or damaged: it ends too early/],
    'truncated.gif': ['truncated', /cut off or damaged/],
    'truncated.tif': ['truncated', /cut off or damaged/],
    'cut-raw.tif': ['truncated', /cut off or damaged/],
    'cut-lzw.tif': ['truncated', /cut off or damaged: no line of it can be read/],
    'cut-deflate.tif': ['truncated', /cut off or damaged/],
    'cut-jpeg.tif': ['truncated', /cut off or damaged/],
    'cut-packbits.tif': ['truncated', /cut off or damaged/],
    'damaged-lzw.tif': ['truncated', /cut off or damaged/],
    'damaged-deflate.tif': ['truncated', /cut off or damaged/],
    'claims-raw.tif': ['truncated', /cut off or damaged/],
    'claims-lzw.tif': ['truncated', /cut off or damaged/],
    'claims-deflate.tif': ['truncated', /cut off or damaged/],
    'huge.png': ['too-large', /20000 × 20000 = 400 million pixels, the limit is 100 million; raise maxPixels/],
    'huge.jpg': ['too-large', /400 million pixels/],
    'huge.bmp': ['too-large', /400 million pixels/],
    'rle.bmp': ['not-an-image', /run-length compressed BMP/],
    'nothing-here.jpg': ['missing-file', /does not exist$/],
    '': ['unreadable-file', /is a folder/],
  };

  it.each(Object.entries(bad))('%s', async (name, [problem, line]) => {
    for (const mode of ['corrected', 'pillow'] as const) {
      const error = await decodeImage(at(name), { mode }).catch((error: unknown) => error);
      expect(error).toBeInstanceOf(SampleError);
      const { message, ...rest } = error as SampleError;
      expect(rest).toMatchObject({ problem, file: at(name) });
      expect(message).toMatch(line);
      expect(message).toContain(at(name));
      expect(message).not.toContain('\n');
    }
  });

  it('are told their own reason however many fail at a time, while others are written', async () => {
    const damaged = Object.keys(bad).filter((name) => bad[name][0] === 'truncated');
    const reason = (name: string) => decodeImage(at(name)).catch((error: Error) => error.message);
    const alone: Record<string, unknown> = {};
    for (const name of damaged) alone[name] = await reason(name);
    const written = picture(64, 64);
    for (let round = 0; round < 3; round++) {
      const writing = damaged.map(() => encodeImage(written, { format: 'png' }));
      const told = await Promise.all(damaged.map(async (name) => [name, await reason(name)]));
      expect(Object.fromEntries(told)).toEqual(alone);
      await Promise.all(writing);
    }
  });

  it('are the ones Pillow refuses too', () => {
    const refused = files.filter(([, f]) => !f.rgb).map(([name]) => name);
    expect(Object.keys(bad)).toEqual(expect.arrayContaining(refused));
  });

  it('claim no size that an AVIF cannot have, of which libvips would warn by itself', async () => {
    const plain = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .avif({ effort: 0 })
      .toBuffer();
    plain.writeUInt32BE(2 ** 31 - 1, plain.indexOf('ispe') + 8);
    await expect(decodeImage(plain)).rejects.toMatchObject({
      problem: 'truncated',
      message: 'The image is cut off or damaged: it claims to be 2147483647 × 8 pixels',
    });
  });

  it('may be as large as one allows', async () => {
    await expect(decodeImage(at('rgb.png'), { maxPixels: 100 })).rejects.toMatchObject({ problem: 'too-large' });
    expect(await inspectImage(at('huge.png'), { maxPixels: 1e9 })).toMatchObject({ width: 20000, height: 20000 });
  });
});
