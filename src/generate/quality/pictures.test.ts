import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gaussianBlur } from '../../image/blur.ts';
import { createRaster, type Raster } from '../../image/raster.ts';
import { resize } from '../../image/resize.ts';
import { differingBits, nearDuplicates, perceptualHash } from './perceptual-hash.ts';
import { brokenBecause, checkPicture } from './picture-checks.ts';

/** The formula of test/fixtures/quality/make-hashes.py. */
function draw(k: number, width: number, height: number): Raster {
  const image = createRaster(width, height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = 3 * (y * width + x);
      image.data[at] = (x * (k + 3) + y * 2 * (k % 5)) % 256;
      image.data[at + 1] = ((Math.floor(x / (4 + k)) + Math.floor(y / (3 + (k % 7)))) % 2) * 160 + 40;
      image.data[at + 2] = Math.floor((x * y) / (7 + k)) % 256;
    }
  return image;
}
const cases = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/quality/hashes.json', import.meta.url), 'utf8'),
) as { k: number; width: number; height: number; bits: string }[];

describe('perceptual hash', () => {
  it.each(cases)('of a drawn picture $width × $height, as Pillow and SciPy', ({ k, width, height, bits }) => {
    expect(
      perceptualHash(draw(k, width, height))
        .toString(2)
        .padStart(64, '0'),
    ).toBe(bits);
  });

  it('finds the smaller and the slightly blurred copy, and not another picture', () => {
    const [a, b] = [draw(2, 120, 120), draw(5, 120, 120)];
    const hashes = [a, b, resize(a, 60, 60, 'bilinear'), gaussianBlur(b, { sigma: 1, kernel: 5 })].map(perceptualHash);
    expect([...nearDuplicates(hashes)]).toEqual([-1, -1, 0, 1]);
    expect(differingBits(hashes[0], hashes[1])).toBeGreaterThan(10);
  });
});

describe('broken pictures', () => {
  it('one flat colour and a smear are named; a picture is not', () => {
    const picture = draw(1, 64, 64);
    expect(brokenBecause(checkPicture(picture))).toBeUndefined();
    expect(brokenBecause(checkPicture(createRaster(64, 64, new Uint8Array(64 * 64 * 3).fill(120))))).toMatch(
      /flat colour/,
    );
    const smear = createRaster(64, 64);
    for (let i = 0; i < 64 * 64; i++) smear.data.fill(4 * (i % 64), 3 * i, 3 * i + 3);
    expect(brokenBecause(checkPicture(smear))).toMatch(/blurred/);
  });
});
