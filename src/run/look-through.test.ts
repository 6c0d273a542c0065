import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sample } from '../contracts/sample.ts';
import { lookThrough } from './look-through.ts';

const side = 100;
const options = { photographs: { border: 'ignore', mode: 'pillow' }, masks: true } as const;
const findDoubtfulMasks = async (samples: Sample[]) => (await lookThrough(samples, options)).doubtfulMasks;

describe('doubtful masks of a run', () => {
  let home: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'doubtful-masks-'));
    await sharp({ create: { width: side, height: side, channels: 3, background: 'teal' } }).toFile(
      join(home, 'image.png'),
    );
    for (const objectSide of [2, 8, 40]) {
      const data = Uint8Array.from({ length: side * side }, (_, i) =>
        i % side < objectSide && i < side * objectSide ? 255 : 0,
      );
      await sharp(data, { raw: { width: side, height: side, channels: 1 } }).toFile(join(home, `${objectSide}.png`));
    }
  });
  afterAll(() => rm(home, { recursive: true }));

  const sample = (mask: string): Sample => ({
    id: mask,
    image: join(home, 'image.png'),
    mask: { kind: 'file', path: join(home, `${mask}.png`), encoding: '0/255' },
  });

  it('are counted and named, the worst first', async () => {
    const found = await findDoubtfulMasks(['8', '40', '2'].map(sample));
    expect(found).toMatchObject({ looked: 3, masks: 2, worst: [{ sample: '2' }, { sample: '8' }] });
    expect(found?.worst[0].doubts).toEqual(['the object is less than 0.1 % of the image']);
  });

  it('are none where masks are fine, and nothing is said where there are none or they cannot be read', async () => {
    expect(await findDoubtfulMasks([sample('40')])).toEqual({ looked: 1, masks: 0, worst: [] });
    expect(await findDoubtfulMasks([sample('not there')])).toMatchObject({ masks: 0 });
    expect(await findDoubtfulMasks([{ id: 'a', image: join(home, 'image.png') }])).toBeUndefined();
  });

  it('are not looked for where no scenario needs masks', async () => {
    expect(await lookThrough([sample('2')], { ...options, masks: false })).toEqual({
      decodeDifferences: { images: 0, reasons: {} },
    });
  });

  it('come with the number of pictures that the other way of decoding reads differently, each counted once', async () => {
    const paint = (background: { r: number; g: number; b: number; alpha?: number }) =>
      sharp({ create: { width: side, height: side, channels: background.alpha === undefined ? 3 : 4, background } });
    await paint({ r: 1, g: 2, b: 3, alpha: 0.5 }).toFile(join(home, 'clear.png'));
    await paint({ r: 1, g: 2, b: 3 }).withMetadata({ orientation: 6 }).toFile(join(home, 'turned.jpg'));
    const pictured = (id: string, file: string): Sample => ({ ...sample('40'), id, image: join(home, file) });
    const samples = [
      ...[pictured('a', 'clear.png'), pictured('b', 'clear.png')],
      ...[pictured('c', 'turned.jpg'), pictured('d', 'missing.jpg'), pictured('e', 'image.png')],
    ];
    expect((await lookThrough(samples, options)).decodeDifferences).toEqual({
      images: 2,
      reasons: { alpha: 1, orientation: 1 },
    });
  });

  it('and all else are left open by an interrupt', async () => {
    expect(await lookThrough([sample('2')], { ...options, signal: AbortSignal.abort() })).toEqual({});
  });
});
