import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeImage } from './decode.ts';
import { shrinkToJpeg } from './shrink.ts';

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

it('a photograph made small shows the same, in its shape; a small one stays as it is', async () => {
  const { width, height, data } = await decodeImage(await shrinkToJpeg(await half(640, 480), { sidePx: 160 }));
  expect([width, height]).toEqual([160, 120]);
  const at = (x: number, y: number) => [...data.slice((y * 160 + x) * 3, (y * 160 + x) * 3 + 3)];
  for (const [pixel, colour] of [
    [at(20, 60), [200, 30, 30]],
    [at(140, 60), [30, 30, 200]],
  ])
    for (const c of [0, 1, 2]) expect(Math.abs(pixel[c] - colour[c])).toBeLessThan(12);
  expect(await decodeImage(await shrinkToJpeg(await half(64, 48), { sidePx: 160 }))).toMatchObject({ width: 64 });
});

it('one of too many pixels, or that is none, is refused', async () => {
  await expect(shrinkToJpeg(await half(640, 480), { sidePx: 160, maxPixels: 1000 })).rejects.toThrow();
  await writeFile(join(folder, 'none.jpg'), 'no picture');
  await expect(shrinkToJpeg(join(folder, 'none.jpg'), { sidePx: 160 })).rejects.toThrow();
});
