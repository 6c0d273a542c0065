import type { Answer, Model, OpenOptions } from '../define.ts';
import { openRunner } from '../onnx/open-runner.ts';
import { networkSize, preprocessor } from '../onnx/preprocess.ts';
import type { ClipDescription } from './describe.ts';
import { toUnitLength } from './encode-text.ts';

/** A CLIP-type model as a classifier: the score of a class is the scaled cosine between picture and prompt. */
export async function openClip(described: ClipDescription, { threads = 1 }: OpenOptions = {}): Promise<Model> {
  const { clip, preprocessing, batch } = described;
  const { vision: path, quantized, device, input, output } = clip;
  const runner = await openRunner(
    { path, quantized, device, threads },
    { input, preprocessing, outputs: [output], batch },
  );
  const scoresOf = (embedding: Float32Array) => {
    const picture = toUnitLength(embedding);
    return Float32Array.from(clip.texts, (text) => {
      let dot = 0;
      for (let i = 0; i < picture.length; i++) dot += picture[i] * text[i];
      return dot * clip.logitScale;
    });
  };
  return {
    ...described,
    prepare: preprocessor(preprocessing),
    async answer(pictures, questions) {
      const answers: Answer[] = [];
      for (let start = 0; start < pictures.length; start += batch) {
        const part = pictures.slice(start, start + batch);
        const [{ data }] = await runner.run(part, networkSize(preprocessing, questions[start]));
        const size = data.length / part.length;
        for (let i = 0; i < part.length; i++)
          answers.push({ kind: 'scores', scores: scoresOf(data.subarray(i * size, (i + 1) * size)) });
      }
      return answers;
    },
    close: runner.close,
  };
}
