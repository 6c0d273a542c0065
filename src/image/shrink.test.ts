import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeImage } from './decode.ts';
import { joinSquares, shrinkToSquare } from './shrink.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sceneshift-shrink-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const half = async (width: number, height: number) => {
  const pixels = Buffer.alloc(width * height * 3);
  for (let i = 0; i < width * height; i++) pixels.set(i % width < width / 2 ? [200, 30, 30] : [30, 30, 200], 3 * i);
  const file = join(folder, `${width}.png`);
  await writeFile(
    file,
    await sharp(pixels, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer(),
  );
  return file;
};

it('a photograph made small shows the same, grey beside its shape, at its place of the sheet', async () => {
  const square = await shrinkToSquare(await half(640, 480), { sidePx: 80 });
  expect(square).toHaveLength(80 * 80 * 3);
  const sheet = await decodeImage(await joinSquares([square, undefined, square], { sidePx: 80, columns: 2 }));
  expect([sheet.width, sheet.height]).toEqual([160, 160]);
  const at = (x: number, y: number) => [...sheet.data.slice((y * 160 + x) * 3, (y * 160 + x) * 3 + 3)];
  const [red, blue, grey] = [
    [200, 30, 30],
    [30, 30, 200],
    [153, 153, 153],
  ];
  for (const [pixel, colour] of [
    [at(10, 40), red],
    [at(70, 40), blue],
    [at(40, 3), grey],
    [at(120, 40), grey],
    [at(10, 120), red],
    [at(70, 120), blue],
  ])
    for (const c of [0, 1, 2]) expect(Math.abs(pixel[c] - colour[c])).toBeLessThan(20);
});

it('a grey picture, and one that can be seen through, are squares too', async () => {
  const pictures = {
    grey: sharp({ create: { width: 30, height: 60, channels: 3, background: '#444' } }).greyscale(),
    clear: sharp({ create: { width: 30, height: 60, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } }),
  };
  for (const [name, picture] of Object.entries(pictures)) {
    await picture.png().toFile(join(folder, `${name}.png`));
    expect(await shrinkToSquare(join(folder, `${name}.png`), { sidePx: 8 })).toHaveLength(8 * 8 * 3);
  }
});

it('one of too many pixels, or that is none, is refused', async () => {
  await expect(shrinkToSquare(await half(640, 480), { sidePx: 160, maxPixels: 1000 })).rejects.toThrow();
  await writeFile(join(folder, 'none.jpg'), 'no picture');
  await expect(shrinkToSquare(join(folder, 'none.jpg'), { sidePx: 160 })).rejects.toThrow();
});
