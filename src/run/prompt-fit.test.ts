import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture, pattern, reference } from '../../test/fixtures/models/pattern.ts';
import { encodeImage } from '../image/encode.ts';
import { openClipEncoders } from '../models/clip/encoders.ts';
import type { PictureRecord } from './generate-pictures.ts';
import { dropBroken } from './generated-quality.ts';
import { promptFit } from './prompt-fit.ts';

interface Reference {
  readonly images: { width: number; height: number; seed: number }[];
  readonly labels: string[];
  readonly single: number[][];
}
const { images, labels, single } = reference<Reference>('clip/clip.reference.json');
const clip = fixture('clip');
const prompts = labels.map((label) => `a photo of a ${label.replaceAll('_', ' ')}.`);
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'prompt-fit-'));
  for (const [i, image] of images.entries())
    await writeFile(join(home, `${i}.png`), await encodeImage(pattern(image), { format: 'png' }));
});
afterAll(() => rm(home, { recursive: true }));

describe('how well pictures show their prompts', () => {
  it("rests on the cosines behind transformers' own logits", async () => {
    const encoders = await openClipEncoders(clip);
    const texts = await encoders.texts(prompts);
    for (const [i, image] of images.entries()) {
      const picture = await encoders.picture(pattern(image));
      for (const [j, text] of texts.entries()) {
        const cosine = picture.reduce((sum, value, k) => sum + value * text[k], 0);
        // Logits are a hundred times the cosine, and agree to 1e-4.
        expect(Math.abs(cosine - single[i][j] / 100)).toBeLessThan(1e-5);
      }
    }
    await encoders.close();
  });

  it('drops what shows too little of its prompt, with the reason', async () => {
    const records = images.map((_, i) => ({ id: `p${i}`, image: `${i}.png`, prompt: prompts[0] }));
    const pairs = records.map(({ image, prompt }) => ({ file: join(home, image), prompt }));
    const scores = await promptFit(pairs, clip, { threads: 1 });
    const wanted = single.map(([logit]) => 2.5 * Math.max(0, logit / 100));
    for (const [i, score] of wanted.entries()) expect(Math.abs(scores[i] - score)).toBeLessThan(1e-5);
    const drop = (least: number) =>
      dropBroken(records as unknown as PictureRecord[], home, { fit: { clip, least, threads: 1 } });
    expect((await drop(0)).kept).toHaveLength(images.length);
    const { kept, dropped } = await drop(0.01);
    expect(kept).toHaveLength(wanted.filter((score) => score >= 0.01).length);
    expect(dropped[0].reason).toBe('not what was asked for (CLIP score 0.000, at least 0.01)');
  });

  it('has no number for a file that cannot be read', async () => {
    const [score] = await promptFit([{ file: join(home, 'none.png'), prompt: 'x' }], clip, { threads: 1 });
    expect(score).toBeNaN();
  });
});
