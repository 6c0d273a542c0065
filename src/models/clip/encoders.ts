import { UserError } from '../../contracts/errors.ts';
import type { Raster } from '../../image/raster.ts';
import { readModelFile } from '../onnx/model-file.ts';
import { openRunner } from '../onnx/open-runner.ts';
import { networkSize, preprocessor } from '../onnx/preprocess.ts';
import { describeClip, embedTexts } from './describe.ts';
import { toUnitLength } from './encode-text.ts';
import { clipPair } from './pair.ts';

/** A pair of encoders whose vectors can be compared: pictures and texts, each of length 1. */
export interface ClipEncoders {
  picture(image: Raster): Promise<Float32Array>;
  texts(texts: readonly string[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}

export async function openClipEncoders(folder: string, { threads = 1 } = {}): Promise<ClipEncoders> {
  const pair = clipPair(folder);
  if (!pair)
    throw new UserError(`${folder} holds no pair of encoders (vision_model.onnx and text_model.onnx, or in onnx/)`);
  const text = await readModelFile(pair.text);
  const { clip, preprocessing } = await describeClip(folder, { settings: { labels: ['picture'] }, threads });
  const { vision: path, quantized, device, input, output } = clip;
  const runner = await openRunner(
    { path, quantized, device, threads },
    { input, preprocessing, outputs: [output], batch: 1 },
  );
  const prepare = preprocessor(preprocessing);
  return {
    async picture(image) {
      const [{ data }] = await runner.run([prepare(image)], networkSize(preprocessing, image));
      return toUnitLength(data);
    },
    texts: (texts) =>
      embedTexts(folder, pair.text, texts, { threads, quantized: text.graph.quantized, graph: text.graph }),
    close: runner.close,
  };
}
