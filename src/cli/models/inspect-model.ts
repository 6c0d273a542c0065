import { UserError } from '../../contracts/errors.ts';
import type { ModelConfig } from '../../contracts/model-config.ts';
import type { ModelDescription, OpenOptions } from '../../models/define.ts';
import type { OnnxDescription } from '../../models/onnx/describe.ts';
import { askInt8, type Int8 } from '../../models/onnx/int8.ts';
import { type ModelFile, readModelFile } from '../../models/onnx/model-file.ts';
import { describeModel } from '../../models/open.ts';
import { locate } from '../../models/spec.ts';

export interface Inspection {
  /** As `--model` or the config names it. */
  readonly spec: string;
  readonly described: ModelDescription | undefined;
  /** Of ONNX models. */
  readonly file: ModelFile | undefined;
  /** Of quantised models: how they are run on this processor. */
  readonly int8: Int8 | undefined;
  /** Why it cannot be used, where the file could still be read. */
  readonly problem: string | undefined;
}

/** Reads a model and tries it once. What the graph says is worth seeing even where the rest does not fit it. */
export async function inspectModel(config: ModelConfig, options: OpenOptions): Promise<Inspection> {
  const settings = typeof config === 'string' ? { model: config } : config;
  const place = await locate(settings, options);
  const file = place.kind.id === 'onnx' ? await readModelFile(place.what) : undefined;
  let described: ModelDescription | undefined;
  let problem: string | undefined;
  try {
    described = await describeModel(config, options);
  } catch (error) {
    if (!(error instanceof UserError) || !file) throw error;
    problem = error.message;
  }
  const int8 = file?.graph.quantized ? await askInt8() : undefined;
  return { spec: settings.model, described, file, int8, problem };
}

export const onnxFacts = (described: ModelDescription) =>
  'onnx' in described ? (described as OnnxDescription).onnx : undefined;

/** The same for programs. */
export function inspectionJson({ spec, described, file, int8, problem }: Inspection) {
  const onnx = described && onnxFacts(described);
  const { nodes: _, ...graph } = file?.graph ?? { nodes: [] };
  return {
    model: spec,
    name: described?.name,
    kind: described?.kind,
    source: described?.source ?? file?.path,
    ...(file && { bytes: file.bytes, sha256: file.sha256, graph }),
    preprocessing: described?.preprocessing,
    from: onnx?.from,
    outputs: described?.outputs,
    outputCount: described?.outputCount,
    labels: described?.labels,
    labelsFrom: described?.labelsFrom,
    batch: described?.batch,
    processor: int8 && { int8 },
    trial: onnx?.trial,
    warnings: described?.warnings ?? [],
    problem,
    identity: described?.identity,
  };
}
