import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture, pattern, reference } from '../../test/fixtures/models/pattern.ts';
import { encodeImage } from '../image/encode.ts';
import { openModel } from '../models/open.ts';
import { categoriesFor, clipGuesses } from './clip-guesses.ts';

const { images } = reference<{ images: { width: number; height: number; seed: number }[] }>('clip/clip.reference.json');
let home: string;
let files: string[];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'clip-guesses-'));
  files = images.map((_, i) => join(home, `${i}.png`));
  for (const [i, file] of files.entries())
    await writeFile(file, await encodeImage(pattern(images[i]), { format: 'png' }));
});
afterAll(() => rm(home, { recursive: true }));

describe("CLIP's two likeliest categories", () => {
  it("are those of the 113-way model, which agrees with transformers'", async () => {
    const spec = { model: fixture('clip'), labels: 'imagenet-d', clip: { templates: 'imagenet-d' } };
    const model = await openModel(spec);
    const categories = categoriesFor(['mug', 'teapot']);
    expect(categories).toHaveLength(113);
    const guesses = await clipGuesses(files, { clip: fixture('clip'), categories });
    for (const [i, image] of images.entries()) {
      const picture = pattern(image);
      const question = { sample: 'x', scenario: 'original', width: picture.width, height: picture.height };
      const [answer] = await model.answer([await model.prepare(picture)], [question]);
      if (answer.kind !== 'scores') throw new Error(answer.kind);
      const best = [...answer.scores.keys()].sort((a, b) => answer.scores[b] - answer.scores[a]);
      expect(guesses[i]).toEqual([categories[best[0]], categories[best[1]]]);
    }
    await model.close();
  });

  it('are among the labels where one is not of ImageNet-D; one label alone is both', async () => {
    expect(categoriesFor(['mug', 'airship', 'mug'])).toEqual(['airship', 'mug']);
    const guesses = await clipGuesses(files.slice(0, 1), { clip: fixture('clip'), categories: ['mug'] });
    expect(guesses).toEqual([['mug', 'mug']]);
  });
});
