import { UserError } from '../../contracts/errors.ts';
import type { OnnxDescription } from './describe.ts';
import { editModel, type GraphEdit } from './edit.ts';
import { findFeatureLayer } from './feature-layer.ts';
import { readModelFile } from './model-file.ts';
import { networkSize, preprocessor } from './preprocess.ts';
import { createRunner } from './runner.ts';
import { openSession } from './session.ts';
import { samplePicture } from './trial.ts';
import { floatType, type NodeSpec, type TensorSpec } from './write.ts';

/** Name of the features among the outputs of the model they are taken from. */
export const featureOutput = 'sceneshift/features';

/** How to get features out of a network: nodes to be added after one of its values. */
export interface FeatureTap {
  /** The value they come from. */
  readonly layer: string;
  /** Numbers per picture. */
  readonly features: number;
  /** `[N, features]` float32 in `featureOutput`. */
  readonly nodes: readonly NodeSpec[];
  readonly tensors: readonly TensorSpec[];
}

/**
 * Finds the penultimate layer (or takes the one named), tries it once, and says which nodes make a row of numbers of it:
 * 8-bit values scaled back, maps averaged over their area, tokens over their number.
 */
export async function tapFeatures(described: OnnxDescription, layer?: string): Promise<FeatureTap> {
  const { path } = described.onnx;
  const { graph } = await readModelFile(path);
  const found = findFeatureLayer(graph, described.onnx.output, layer, path);
  const raw = 'sceneshift/layer';
  const nodes: NodeSpec[] = [];
  let value = found.value;
  if (found.quantized) {
    const { scale, zeroPoint } = found.quantized;
    const inputs = zeroPoint ? [value, scale, zeroPoint] : [value, scale];
    nodes.push({ op: 'DequantizeLinear', inputs, outputs: ['sceneshift/dequantised'] });
    value = 'sceneshift/dequantised';
  }
  nodes.push({ op: 'Cast', inputs: [value], outputs: [raw], attributes: { to: floatType } });
  const dims = await tryLayer(described, { nodes, outputs: [{ name: raw }] });
  const row = rowNodes(raw, dims, graph.opset);
  const features = row.features;
  if (!(features > 1))
    throw new UserError(
      `${path}: layer '${found.value}' gives ${features} number a picture; choose another with --layer`,
    );
  return { layer: found.value, features, nodes: [...nodes, ...row.nodes], tensors: row.tensors };
}

/** The network with the features as its only output. */
export const featureModel = (
  path: string,
  { nodes, tensors, features }: FeatureTap,
  batch: number | string,
): Uint8Array => editModel(path, { nodes, tensors, outputs: [{ name: featureOutput, shape: [batch, features] }] });

async function tryLayer(described: OnnxDescription, edit: GraphEdit): Promise<readonly number[]> {
  const { onnx, preprocessing } = described;
  const bytes = editModel(onnx.path, edit);
  const session = await openSession({ path: onnx.path, quantized: onnx.quantized, threads: 1, bytes });
  try {
    const outputs = edit.outputs.map(({ name }) => name);
    const runner = createRunner({
      session,
      input: onnx.input,
      preprocessing,
      outputs,
      batch: described.batch,
      file: onnx.path,
    });
    const picture = samplePicture(onnx.input.width || 256, onnx.input.height || 256);
    const [{ dims }] = await runner.run([preprocessor(preprocessing)(picture)], networkSize(preprocessing, picture));
    return dims;
  } finally {
    await session.release();
  }
}

/** From a value of any form to `[N, features]`. */
function rowNodes(from: string, dims: readonly number[], opset: number) {
  const averaged = 'sceneshift/averaged';
  const flatten = (value: string): NodeSpec => ({
    op: 'Flatten',
    inputs: [value],
    outputs: [featureOutput],
    attributes: { axis: 1 },
  });
  const product = dims.slice(1).reduce((all, size) => all * size, 1);
  if (dims.length === 4 && !(dims[1] === dims[2] && dims[2] !== dims[3])) {
    const pool: NodeSpec = { op: 'GlobalAveragePool', inputs: [from], outputs: [averaged] };
    return { features: dims[1], nodes: [pool, flatten(averaged)], tensors: [] };
  }
  if (dims.length < 3) return { features: product, nodes: [flatten(from)], tensors: [] };
  // Channels last, or tokens: averaged over everything between the first and the last axis.
  const axes = dims.slice(1, -1).map((_, i) => i + 1);
  const asInput = opset >= 18;
  const reduce: NodeSpec = {
    op: 'ReduceMean',
    inputs: asInput ? [from, 'sceneshift/axes'] : [from],
    outputs: [averaged],
    attributes: { keepdims: 0, ...(!asInput && { axes }) },
  };
  const tensors: TensorSpec[] = asInput
    ? [{ name: 'sceneshift/axes', dims: [axes.length], values: BigInt64Array.from(axes, BigInt) }]
    : [];
  return { features: dims[dims.length - 1], nodes: [reduce, flatten(averaged)], tensors };
}
