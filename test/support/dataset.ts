import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import type { Random } from '../../src/contracts/random.ts';
import { randomFor } from '../../src/stats/random.ts';

export interface MadeDataset {
  readonly folder: string;
  readonly manifest: string;
  readonly samples: number;
}

const shapes = ['disc', 'square', 'ring'] as const;

/** A small dataset with exact masks: discs, squares and rings before wavy backgrounds. Seeded, so always the same. */
export async function makeDataset(
  folder: string,
  { perClass = 4, width = 96, height = 72 } = {},
): Promise<MadeDataset> {
  const rows = ['image,mask,label,target'];
  for (const [target, label] of shapes.entries()) {
    for (let i = 0; i < perClass; i++) {
      const { pixels, mask } = draw(label, width, height, randomFor('test dataset', label, i));
      const image = `images/${label}/${label}_${i}.jpg`;
      const maskFile = `masks/${label}/${label}_${i}.png`;
      await put(
        join(folder, image),
        await sharp(pixels, { raw: { width, height, channels: 3 } })
          .jpeg({ quality: 92 })
          .toBuffer(),
      );
      await put(
        join(folder, maskFile),
        await sharp(mask, { raw: { width, height, channels: 1 } })
          .toColourspace('b-w')
          .png()
          .toBuffer(),
      );
      rows.push([image, maskFile, label, target].join(','));
    }
  }
  const manifest = join(folder, 'manifest.csv');
  await put(manifest, `${rows.join('\n')}\n`);
  return { folder, manifest, samples: shapes.length * perClass };
}

function draw(label: (typeof shapes)[number], width: number, height: number, random: Random) {
  const pixels = new Uint8Array(width * height * 3);
  const mask = new Uint8Array(width * height);
  const centre = { x: width * (0.35 + 0.3 * random.uniform()), y: height * (0.35 + 0.3 * random.uniform()) };
  const radius = Math.min(width, height) * (0.18 + 0.12 * random.uniform());
  const colour = [random.integer(120, 255), random.integer(0, 120), random.integer(0, 255)];
  const phase = [random.uniform() * 6, random.uniform() * 6, random.uniform() * 6];
  const across = phase.map((by) => new Float64Array(width).map((_, x) => 110 + 60 * Math.sin(x / 9 + by)));
  for (let y = 0; y < height; y++) {
    const down = phase.map((_, c) => 50 * Math.cos(y / (5 + c) + phase[2 - c]));
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const [dx, dy] = [x - centre.x, y - centre.y];
      const distance = label === 'square' ? Math.max(Math.abs(dx), Math.abs(dy)) : Math.hypot(dx, dy);
      const inside = distance < radius && !(label === 'ring' && distance < radius * 0.5);
      mask[at] = inside ? 255 : 0;
      for (let c = 0; c < 3; c++) {
        pixels[at * 3 + c] = inside ? colour[c] - (dx + dy) / 2 : across[c][x] + down[c];
      }
    }
  }
  return { pixels, mask };
}

async function put(path: string, bytes: Uint8Array | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}
