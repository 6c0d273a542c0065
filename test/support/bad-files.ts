import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

export interface BadFiles {
  readonly manifest: string;
  /** Sample → problem. */
  readonly expected: Record<string, string>;
  /** Samples that look odd but can be used. */
  readonly usable: number;
}

const noise = (width: number, height: number, channels: 1 | 3 | 4) =>
  sharp(
    Uint8Array.from({ length: width * height * channels }, (_, i) => (i * 2654435761) >>> 24),
    { raw: { width, height, channels } },
  );

/** A folder of what goes wrong in practice, beside odd files that must work. */
export async function makeBadFiles(folder: string): Promise<BadFiles> {
  await mkdir(folder, { recursive: true });
  const [width, height] = [40, 30];
  const jpeg = await noise(width, height, 3).jpeg().toBuffer();
  const disc = Uint8Array.from({ length: width * height }, (_, i) =>
    Math.hypot((i % width) - 20, Math.floor(i / width) - 15) < 9 ? 255 : 0,
  );
  const mask = (data: Uint8Array, w = width, h = height) =>
    sharp(data, { raw: { width: w, height: h, channels: 1 } })
      .toColourspace('b-w')
      .png()
      .toBuffer();
  const files: Record<string, Uint8Array | string> = {
    'good.jpg': jpeg,
    'zero.jpg': '',
    'truncated.jpg': jpeg.subarray(0, jpeg.length / 2),
    'text.jpg': 'This is no picture.',
    'one.png': await noise(1, 1, 3).png().toBuffer(),
    'huge.png': hugeHeader(),
    'cmyk.jpg': await noise(width, height, 3).toColourspace('cmyk').jpeg().toBuffer(),
    'rotated.jpg': await noise(height, width, 3).jpeg().withMetadata({ orientation: 6 }).toBuffer(),
    'deep.png': await noise(width, height, 3).toColourspace('rgb16').png().toBuffer(),
    'masksize.jpg': jpeg,
    'maskempty.jpg': jpeg,
    'mask.png': await mask(disc),
    'mask-other.png': await mask(new Uint8Array(50 * 11).fill(255, 0, 100), 50, 11),
    'mask-empty.png': await mask(new Uint8Array(width * height)),
    'mask-one.png': await mask(new Uint8Array(1).fill(255), 1, 1),
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  const masks: Record<string, string> = {
    'masksize.jpg': 'mask-other.png',
    'maskempty.jpg': 'mask-empty.png',
    'one.png': 'mask-one.png',
  };
  const images = Object.keys(files).filter((name) => !name.startsWith('mask-') && name !== 'mask.png');
  const rows = [...images, 'missing.jpg'].map((name) => `${name},${masks[name] ?? 'mask.png'},thing`);
  await writeFile(join(folder, 'manifest.csv'), `image,mask,label\n${rows.join('\n')}\n`);
  return {
    manifest: join(folder, 'manifest.csv'),
    expected: {
      'zero.jpg': 'empty-file',
      'truncated.jpg': 'truncated',
      'text.jpg': 'not-an-image',
      'one.png': 'too-small',
      'huge.png': 'too-large',
      'masksize.jpg': 'mask-size',
      'maskempty.jpg': 'mask-empty',
      'missing.jpg': 'missing-file',
    },
    usable: 4,
  };
}

/** A PNG that claims 20,000 × 20,000 pixels and has none. */
function hugeHeader(): Uint8Array {
  const header = Buffer.alloc(25);
  header.writeUInt32BE(13, 0);
  header.write('IHDR', 4, 'latin1');
  header.writeUInt32BE(20000, 8);
  header.writeUInt32BE(20000, 12);
  header.set([8, 2, 0, 0, 0], 16);
  header.writeUInt32BE(crc32(header.subarray(4, 21)), 21);
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), header]);
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
