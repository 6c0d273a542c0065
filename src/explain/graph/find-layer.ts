import { UserError } from '../../contracts/errors.ts';
import { editModel } from '../../models/onnx/edit.ts';
import { type FeatureLayer, findFeatureLayer } from '../../models/onnx/feature-layer.ts';
import type { GraphNode, OnnxGraph } from '../../models/onnx/graph.ts';
import { readModelFile } from '../../models/onnx/model-file.ts';
import { networkSize, preprocessor } from '../../models/onnx/preprocess.ts';
import { openSession, pictureTensor, type Tensor } from '../../models/onnx/session.ts';
import { samplePicture } from '../../models/onnx/trial.ts';
import type { GraphFacts } from './graph-facts.ts';
import { type Spatial, spatialOf } from './spatial.ts';
import { tapNodes } from './tap.ts';

export interface SpatialLayer {
  readonly layer: FeatureLayer;
  /** As it lies over the trial picture. */
  readonly spatial: Spatial;
  /** The classes' scores before a softmax; undefined for encoders. */
  readonly logits: FeatureLayer | undefined;
}

/** So many values are tried at a time, from the output backwards. */
const perTrial = 40;
/** Values of other kinds: shapes, indices, constants. */
const noMap = /^(Constant|ConstantOfShape|Shape|Gather|Slice|Range|Expand|Where|Equal|Not|If|Loop|Scan)$/;

/** The last map before the output, or the layer named. */
export async function findSpatialLayer(facts: GraphFacts, wanted: string | undefined): Promise<SpatialLayer> {
  const { path, output } = facts;
  const { graph } = await readModelFile(path);
  const layerOf = (value: string) => findFeatureLayer(graph, output, value, path);
  const logits = facts.classifies ? layerOf(beforeSoftmax(graph, output)) : undefined;
  const values = wanted === undefined ? backwards(graph, output) : [layerOf(wanted).value];
  for (let start = 0; start < values.length; start += perTrial) {
    const layers = values.slice(start, start + perTrial).map(layerOf);
    const found = await tryLayers(facts, layers);
    const maps = layers.flatMap((layer, i) => (found[i] ? [{ layer, spatial: found[i] as Spatial, logits }] : []));
    // A side branch (the shape of a map, a shortcut) is not all that the answer rests on.
    const whole = maps.find(({ layer }) => !reaches(graph, output, layer.value, facts.input.name));
    if (maps.length) return whole ?? maps[0];
  }
  throw new UserError(
    wanted === undefined
      ? `${path}: no value of its graph lies over the picture as a map; use --method rise or occlusion`
      : `${path}: layer '${wanted}' does not lie over the picture as a map; leave --layer out to have one found`,
  );
}

/** Values that the output depends on, the last first. */
function backwards(graph: OnnxGraph, output: string): string[] {
  const makers = new Map(graph.nodes.flatMap((node) => node.outputs.map((value) => [value, node] as const)));
  const weights = new Set(graph.weights);
  const used = new Set<GraphNode>();
  const open = [output];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const node = makers.get(value);
    if (!node || used.has(node)) continue;
    used.add(node);
    open.push(...node.inputs.filter((input) => input && !weights.has(input)));
  }
  return graph.nodes
    .filter((node) => used.has(node) && !noMap.test(node.op))
    .map(({ outputs }) => outputs[0])
    .filter((value) => value !== output)
    .reverse();
}

/** Whether the output can be traced back to the picture without passing a value. */
function reaches(graph: OnnxGraph, output: string, around: string, picture: string): boolean {
  const makers = new Map(graph.nodes.flatMap((node) => node.outputs.map((value) => [value, node] as const)));
  const seen = new Set([around]);
  const open = [output];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value === picture) return true;
    if (seen.has(value)) continue;
    seen.add(value);
    open.push(...(makers.get(value)?.inputs ?? []));
  }
  return false;
}

/** The value that a softmax at the end is taken of, else the output. */
function beforeSoftmax(graph: OnnxGraph, output: string): string {
  const makers = new Map(graph.nodes.flatMap((node) => node.outputs.map((value) => [value, node] as const)));
  const passing = /^(Identity|Cast|Flatten|Reshape|Squeeze|DequantizeLinear)$/;
  let value = output;
  for (let steps = 0; steps < 10; steps++) {
    const node = makers.get(value);
    if (node && /^(QLinear)?(Log)?Softmax$/.test(node.op)) return node.inputs[0];
    if (!node || !passing.test(node.op)) break;
    value = node.inputs[0];
  }
  return output;
}

/** Runs the network once on a generated picture and looks at the values asked for. */
async function tryLayers(facts: GraphFacts, layers: readonly FeatureLayer[]): Promise<(Spatial | undefined)[]> {
  const { path, input, preprocessing, quantized } = facts;
  const names = layers.map((_, i) => `sceneshift/tried-${i}`);
  const bytes = editModel(path, {
    nodes: layers.flatMap((layer, i) => tapNodes(layer, names[i])),
    outputs: names.map((name) => ({ name })),
  });
  const session = await openSession({ path, quantized, threads: 1, bytes });
  try {
    const picture = samplePicture(input.width || 256, input.height || 256);
    const size = networkSize(preprocessing, picture);
    const answers = await session.run({ [input.name]: oneTensor(facts, preprocessor(preprocessing)(picture), size) });
    return names.map((name) => spatialOf(ofOne(answers[name].dims, input.batch), size));
  } finally {
    await session.release();
  }
}

/** A tensor with one picture; a batch that the file fixes is filled up with zeros. */
export function oneTensor(
  { input, preprocessing }: Pick<GraphFacts, 'input' | 'preprocessing'>,
  prepared: Float32Array | Uint8Array | Uint16Array,
  { width, height }: { width: number; height: number },
): Tensor {
  const channels = preprocessing.channels === 'L' ? 1 : 3;
  const picture = preprocessing.layout === 'NCHW' ? [channels, height, width] : [height, width, channels];
  const rows = input.batch || 1;
  const data = new (prepared.constructor as Float32ArrayConstructor)(rows * prepared.length);
  data.set(prepared as Float32Array);
  return pictureTensor(preprocessing.type, data, input.rank === 3 ? picture : [rows, ...picture]);
}

/** The dimensions as for one picture; a value whose first one is not the batch is no map of one. */
export const ofOne = (dims: readonly number[], batch: number): number[] =>
  batch > 1 && dims[0] === batch ? [1, ...dims.slice(1)] : [...dims];
