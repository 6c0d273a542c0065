import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/cli.ts';
import { readDataset } from '../dataset/index.ts';
import { type MakeMasksOptions, makeMasks } from './make-masks.ts';

const picture = (cx: number) => {
  const data = new Uint8Array(64 * 48 * 3);
  for (let i = 0; i < 64 * 48; i++) {
    const inside = Math.hypot((i % 64) - cx, Math.floor(i / 64) - 24) < 14;
    data.set(inside ? [210, 40 + (i % 11), 50] : [30, 130 + (i % 17), 70], i * 3);
  }
  return sharp(data, { raw: { width: 64, height: 48, channels: 3 } })
    .png()
    .toBuffer();
};

describe('makeMasks', () => {
  let home: string;
  let out: string;
  let settings: Omit<MakeMasksOptions, 'dataset'>;
  const there = async (name: string) => (await readdir(out)).includes(name);

  beforeEach(async () => {
    home = temporaryFolder();
    out = join(home, 'masks');
    const lines = ['image,label,box'];
    for (let i = 0; i < 4; i++) {
      await writeFile(join(home, `${i}.png`), await picture(28 + 3 * i));
      lines.push(`${i}.png,disc,"4,4,56,40"`);
    }
    await writeFile(join(home, 'manifest.csv'), lines.join('\n'));
    const common = { boxes: false, compare: false, border: 'ignore', minPartShare: 0.1, mode: 'pillow' } as const;
    settings = { ...common, out, maxPixels: 1e7, threads: 1, maxErrors: 0.5 };
  });
  const make = async (more: Partial<MakeMasksOptions> = {}) =>
    makeMasks({ dataset: await readDataset(join(home, 'manifest.csv')), ...settings, ...more });

  it('says that it was interrupted, leaves no manifest, and goes on from there', async () => {
    const controller = new AbortController();
    const first = await make({ signal: controller.signal, onProgress: (done) => done === 2 && controller.abort() });
    expect(first).toMatchObject({ interrupted: true, manifest: null, samples: 4 });
    expect(first.masks).toHaveLength(2);
    expect(await there('manifest.csv')).toBe(false);
    const second = await make();
    expect(second).toMatchObject({ interrupted: false, found: 2, errors: [] });
    expect(second.masks).toHaveLength(4);
    expect((await readFile(join(out, 'manifest.csv'), 'utf8')).trim().split('\n')).toHaveLength(5);
  });

  it('makes a mask again whose picture, settings or file changed, and no other', async () => {
    const [before] = (await make()).masks;
    const old = await readFile(join(out, before.mask));
    expect(await make()).toMatchObject({ found: 4 });
    await writeFile(join(home, '0.png'), await picture(20));
    expect(await make()).toMatchObject({ found: 3 });
    expect((await readFile(join(out, before.mask))).equals(old)).toBe(false);
    expect(await make({ minPartShare: 0.5 })).toMatchObject({ found: 0 });
  });

  it('keeps no manifest of an earlier call while it works', async () => {
    await make();
    expect(await there('manifest.csv')).toBe(true);
    const controller = new AbortController();
    await make({ minPartShare: 0.2, signal: controller.signal, onProgress: () => controller.abort() });
    expect(await there('manifest.csv')).toBe(false);
  });

  it('a picture that GrabCut fails on costs that picture and a line with its name', async () => {
    const text = await readFile(join(home, 'manifest.csv'), 'utf8');
    await writeFile(join(home, 'manifest.csv'), text.replace('2.png,disc,"4,4,56,40"', '2.png,disc,"900,900,5,5"'));
    const made = await make({ boxes: true });
    expect(made.masks.map(({ sample }) => sample)).toEqual(['0.png', '1.png', '3.png']);
    expect(made.errors).toHaveLength(1);
    expect(made.errors[0]).toMatchObject({ sample: '2.png', file: join(home, '2.png') });
    expect(made.errors[0].message).toMatch(/GrabCut failed/);
  });
});
