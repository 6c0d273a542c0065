import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { encodeImage, encodeMask } from '../../src/image/encode.ts';
import { createMask, createRaster, type Mask, type Raster } from '../../src/image/raster.ts';

/** A bright disc before a green ground with some texture, and its mask. */
export function discPicture(
  width: number,
  height: number,
  { x = width / 2, y = height / 2, radius = Math.min(width, height) / 4 } = {},
): { image: Raster; mask: Mask } {
  const [image, mask] = [createRaster(width, height), createMask(width, height)];
  for (let i = 0; i < mask.data.length; i++) {
    const [u, v] = [i % width, Math.floor(i / width)];
    const inside = Math.hypot(u + 0.5 - x, v + 0.5 - y) < radius;
    mask.data[i] = inside ? 255 : 0;
    image.data.set(inside ? [210 + ((u * 7) % 20), 60, 50] : [40, 120 + ((u * 5 + v * 3) % 30), 60], i * 3);
  }
  return { image, mask };
}

/** `CLASS/NAME.png` pictures of discs in a folder, without masks. */
export async function makePictures(folder: string, names: readonly string[], width = 120, height = 90): Promise<void> {
  const bytes = await encodeImage(discPicture(width, height).image, { format: 'png' });
  for (const name of names) await put(join(folder, name), bytes);
}

export async function putMask(file: string, mask: Mask): Promise<void> {
  await put(file, await encodeMask(mask));
}

async function put(file: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, bytes);
}
