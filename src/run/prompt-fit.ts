import { clipScores } from '../generate/quality/clip-score.ts';
import { toFeatures } from '../generate/quality/features.ts';
import { decodeImage } from '../image/decode.ts';
import { openClipEncoders } from '../models/clip/encoders.ts';

export interface PromptedPicture {
  readonly file: string;
  readonly prompt: string;
}

/** How well each picture shows what was asked for: its CLIP score, NaN where it cannot be read. */
export async function promptFit(
  pictures: readonly PromptedPicture[],
  clip: string,
  { threads, onProgress }: { threads: number; onProgress?: (done: number, total: number) => void },
): Promise<Float64Array> {
  const encoders = await openClipEncoders(clip, { threads });
  try {
    const prompts = [...new Set(pictures.map(({ prompt }) => prompt))];
    const vectors = new Map((await encoders.texts(prompts)).map((vector, i) => [prompts[i], vector]));
    const scores = new Float64Array(pictures.length).fill(Number.NaN);
    for (const [i, { file, prompt }] of pictures.entries()) {
      const image = await decodeImage(file).catch(() => undefined);
      if (image) {
        const text = toFeatures([vectors.get(prompt) as Float32Array]);
        scores[i] = clipScores(toFeatures([await encoders.picture(image)]), text)[0];
      }
      onProgress?.(i + 1, pictures.length);
    }
    return scores;
  } finally {
    await encoders.close();
  }
}
