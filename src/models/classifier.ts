import type { Answer, Model, OpenOptions } from './define.ts';
import { createBatchRoom } from './onnx/batch-room.ts';
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
  // Pictures for another device leave this thread, each by itself; grey ones are made without room given.
  const room = device === 'cpu' && preprocessing.channels !== 'L' ? createBatchRoom(batch) : undefined;
  return {
    ...described,
    preparation: JSON.stringify(preprocessing),
    prepare: (image) => {
      const prepared = prepare(image, room?.next());
      room?.made(prepared);
      return prepared;
    },
    recycle: room?.takeBack,
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
