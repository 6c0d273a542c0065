import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sample } from '../contracts/sample.ts';
import { findDoubtfulMasks } from './doubtful-masks.ts';

const side = 100;
const options = { border: 'ignore', mode: 'pillow' } as const;

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
    const found = await findDoubtfulMasks(['8', '40', '2'].map(sample), options);
    expect(found).toMatchObject({ looked: 3, masks: 2, worst: [{ sample: '2' }, { sample: '8' }] });
    expect(found?.worst[0].doubts).toEqual(['the object is less than 0.1 % of the image']);
  });

  it('are none where masks are fine, and nothing is said where there are none or they cannot be read', async () => {
    expect(await findDoubtfulMasks([sample('40')], options)).toEqual({ looked: 1, masks: 0, worst: [] });
    expect(await findDoubtfulMasks([sample('not there')], options)).toMatchObject({ masks: 0 });
    expect(await findDoubtfulMasks([{ id: 'a', image: join(home, 'image.png') }], options)).toBeUndefined();
  });
});
