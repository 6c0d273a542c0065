import type { Answer, Model, OpenOptions, Prepared } from './define.ts';
import type { OnnxDescription } from './onnx/describe.ts';
import { openRunner } from './onnx/open-runner.ts';
import { networkSize, preprocessor } from './onnx/preprocess.ts';

/** An ONNX classifier: pictures in, one score per output out. */
export async function openClassifier(described: OnnxDescription, { threads = 1 }: OpenOptions = {}): Promise<Model> {
  const { onnx, preprocessing, batch } = described;
  const { path, quantized, device, input, output } = onnx;
  const runner = await openRunner(
    { path, quantized, device, threads },
    { input, preprocessing, outputs: [output], batch },
  );
  const toScores = (row: Float32Array) =>
    onnx.binary ? Float32Array.of(described.outputs === 'logits' ? 0 : 1 - row[0], row[0]) : row.slice();
  const prepare = preprocessor(preprocessing);
  const spares: Prepared[] = [];
  return {
    ...described,
    preparation: JSON.stringify(preprocessing),
    prepare: (image) => prepare(image, spares.pop()),
    recycle: (done) => {
      spares.push(...done.slice(0, Math.max(0, 2 * batch - spares.length)));
    },
    async answer(pictures, questions) {
      const answers: Answer[] = [];
      for (let start = 0; start < pictures.length; start += batch) {
        const part = pictures.slice(start, start + batch);
        const [{ data }] = await runner.run(part, networkSize(preprocessing, questions[start]));
        const each = data.length / part.length;
        for (let i = 0; i < part.length; i++)
          answers.push({ kind: 'scores', scores: toScores(data.subarray(i * each, (i + 1) * each)) });
      }
      return answers;
    },
    close: runner.close,
  };
}
