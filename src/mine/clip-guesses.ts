import { decodeImage } from '../image/decode.ts';
import { shownLabel } from '../labels/imagenet-1k.ts';
import { imagenetDMap } from '../labels/imagenet-d.ts';
import { openClipEncoders } from '../models/clip/encoders.ts';
import { promptsFor } from '../models/clip/prompts.ts';

/** The categories that a picture is most like, the likeliest first. */
export type Guesses = readonly [first: string, second: string];

/** What CLIP chooses from: ImageNet-D's 113 categories where all labels are among them, else the labels. */
export const categoriesFor = (labels: readonly string[]): string[] =>
  labels.every((label) => imagenetDMap.has(label)) ? [...imagenetDMap.keys()] : [...new Set(labels)].sort();

/**
 * Each picture's two likeliest categories by a CLIP-type pair of encoders, asked as ImageNet-D's `evaluate_vlm.py` does:
 * "A photo of a {category}", by cosine.
 */
export async function clipGuesses(
  files: readonly string[],
  { clip, categories, threads = 1 }: { clip: string; categories: readonly string[]; threads?: number },
): Promise<Guesses[]> {
  const encoders = await openClipEncoders(clip, { threads });
  try {
    const texts = await encoders.texts(promptsFor(categories.map(shownLabel), 'imagenet-d').flat());
    const guesses: Guesses[] = [];
    for (const file of files) {
      const picture = await encoders.picture(await decodeImage(file));
      const likeness = texts.map((text) => text.reduce((sum, value, i) => sum + value * picture[i], 0));
      const [first, second = first] = categories.map((_, i) => i).sort((a, b) => likeness[b] - likeness[a] || a - b);
      guesses.push([categories[first], categories[second]]);
    }
    return guesses;
  } finally {
    await encoders.close();
  }
}
