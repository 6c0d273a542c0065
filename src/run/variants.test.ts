import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hash } from '../../test/fixtures/image/picture.ts';
import type { Sample } from '../contracts/sample.ts';
import { drawExample } from '../scenarios/gallery/example.ts';
import { presets } from '../scenarios/presets.ts';
import type { PhotographOptions } from './photograph.ts';
import { createVariantMaker } from './variants.ts';

const photographs: PhotographOptions = { mode: 'pillow', flatten: [0, 0, 0], maxPixels: 1e6, border: 'object' };
const scenarios = [
  ...presets['ximagenet-12'].scenarios,
  'only-fg',
  'size:0.1',
  'gaussian-noise:severity=3',
  'complexity',
];

let folder: string;
let samples: Sample[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sceneshift-variants-'));
  samples = await Promise.all(
    [64, 64, 80, 64].map(async (width, seed): Promise<Sample> => {
      const { image, mask } = drawExample({ width, height: 48, seed });
      const [picture, outline] = ['picture', 'mask'].map((name) => join(folder, `${name}-${seed}.png`));
      await sharp(image.data, { raw: { width, height: 48, channels: 3 } }).toFile(picture);
      await sharp(mask.data, { raw: { width, height: 48, channels: 1 } }).toFile(outline);
      const encoding = '0/255';
      return { id: `${seed}`, image: picture, label: `${seed % 2}`, mask: { kind: 'file', path: outline, encoding } };
    }),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** At once, whether or not the next picture happens to lie there; what was freed has no length. */
const writeOver = (data: Uint8Array) => data.length && data.fill(1);

async function hashesOf({ givingBack }: { givingBack: boolean }): Promise<string[]> {
  const maker = createVariantMaker({ seed: 3, photographs, samples });
  const hashes: string[] = [];
  for (const sample of samples) {
    const { photograph, variant, giveBack } = await maker.load(sample);
    for (const scenario of scenarios) {
      const made = await variant(scenario);
      hashes.push(`${sample.id} ${scenario} ${hash(made.image.data)}`);
      if (!givingBack) continue;
      made.giveBack();
      if (made.image.data.buffer !== photograph.image.data.buffer) writeOver(made.image.data);
    }
    hashes.push(hash(photograph.image.data), hash(photograph.mask?.data ?? new Uint8Array()));
    if (!givingBack) continue;
    giveBack();
    writeOver(photograph.image.data);
    if (photograph.mask) writeOver(photograph.mask.data);
  }
  return hashes;
}

describe('variants and photographs that are given back', () => {
  it('change no other picture, and variants not the photograph', async () => {
    expect(await hashesOf({ givingBack: true })).toEqual(await hashesOf({ givingBack: false }));
  });
});
