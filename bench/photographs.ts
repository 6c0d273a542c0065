import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { randomFor } from '../src/stats/random.ts';

/** Photographs for a bench without data of one's own: textured scenes with an object, 320 px wide, JPEG of about 25 kB. */
export async function makePhotographs(folder: string, count: number): Promise<string> {
  const manifest = join(folder, 'manifest.csv');
  const rows = ['image,mask,label,target'];
  for (let i = 0; i < count; i++) {
    const label = `class-${i % 12}`;
    const [image, mask] = [`images/${label}/${i}.jpg`, `masks/${label}/${i}.png`];
    const [width, height] = [320, 213 + ((i * 7) % 60)];
    const { pixels, object } = draw(width, height, i);
    await put(
      join(folder, image),
      await sharp(pixels, { raw: { width, height, channels: 3 } })
        .jpeg({ quality: 90 })
        .toBuffer(),
    );
    await put(
      join(folder, mask),
      await sharp(object, { raw: { width, height, channels: 1 } })
        .toColourspace('b-w')
        .png()
        .toBuffer(),
    );
    rows.push([image, mask, label, i % 12].join(','));
  }
  await writeFile(manifest, `${rows.join('\n')}\n`);
  return manifest;
}

/** Landscapes without an object, for `--backgrounds`. */
export async function makeBackgrounds(folder: string, count: number): Promise<string> {
  for (let i = 0; i < count; i++) {
    const { pixels } = draw(640, 400, 1000 + i, { empty: true });
    await put(
      join(folder, `${i}.jpg`),
      await sharp(pixels, { raw: { width: 640, height: 400, channels: 3 } })
        .jpeg({ quality: 90 })
        .toBuffer(),
    );
  }
  return folder;
}

function draw(width: number, height: number, seed: number, { empty = false } = {}) {
  const random = randomFor('bench photograph', seed);
  const waves = Array.from({ length: 12 }, () => ({
    x: (random.uniform() - 0.5) * 0.4,
    y: (random.uniform() - 0.5) * 0.4,
    phase: 6.3 * random.uniform(),
    colour: [random.normal() * 16, random.normal() * 16, random.normal() * 16],
  }));
  const pixels = new Uint8ClampedArray(width * height * 3);
  const object = new Uint8Array(width * height);
  const [cx, cy] = [width * (0.4 + 0.2 * random.uniform()), height * (0.4 + 0.2 * random.uniform())];
  const [rx, ry] = [width * (0.15 + 0.15 * random.uniform()), height * (0.2 + 0.2 * random.uniform())];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const inside =
        !empty && ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 < 1 + 0.15 * Math.sin(7 * Math.atan2(y - cy, x - cx));
      object[y * width + x] = inside ? 255 : 0;
      const noise = 12 * (random.uniform() - 0.5);
      for (let c = 0; c < 3; c++) {
        let value = inside ? 170 - 20 * c : 110 + 10 * c;
        for (const wave of waves)
          value += wave.colour[c] * Math.sin((inside ? 1.7 : 1) * (wave.x * x + wave.y * y) + wave.phase);
        pixels[(y * width + x) * 3 + c] = value + noise;
      }
    }
  }
  return { pixels: new Uint8Array(pixels.buffer), object };
}

async function put(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}
