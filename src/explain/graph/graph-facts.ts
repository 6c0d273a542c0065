import type { Preprocessing } from '../../contracts/model-record.ts';
import type { ClipDescription } from '../../models/clip/describe.ts';
import type { ModelDescription } from '../../models/define.ts';
import type { OnnxDescription } from '../../models/onnx/describe.ts';
import type { ImageInput } from '../../models/onnx/model-file.ts';

/** The part of a model whose graph can be opened. */
export interface GraphFacts {
  readonly path: string;
  readonly input: ImageInput;
  readonly output: string;
  readonly quantized: boolean;
  readonly preprocessing: Preprocessing;
  readonly batch: number;
  /** The output is the classes' scores; false for encoders of pictures. */
  readonly classifies: boolean;
}

/** Undefined: the model is a closed box. */
export function graphFacts(description: ModelDescription): GraphFacts | undefined {
  const { batch } = description;
  if (description.kind === 'classifier') {
    const { onnx, preprocessing } = description as OnnxDescription;
    const { path, input, output, quantized, binary } = onnx;
    return { path, input, output, quantized, preprocessing, batch, classifies: !binary };
  }
  if (description.kind === 'clip') {
    const { clip, preprocessing } = description as ClipDescription;
    const { vision: path, input, output, quantized } = clip;
    return { path, input, output, quantized, preprocessing, batch, classifies: false };
  }
  return undefined;
}
