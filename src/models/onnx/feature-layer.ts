import { UserError } from '../../contracts/errors.ts';
import type { GraphNode, OnnxGraph } from './graph.ts';

/** A value in the graph to be taken as features. */
export interface FeatureLayer {
  readonly value: string;
  /** Scale and zero point of an 8-bit value; the zero point may be left out. */
  readonly quantized?: { readonly scale: string; readonly zeroPoint: string };
}

/** Operators that end a classifier: where the picture's side of the product stands, and its scale and zero point. */
const classifiers: Record<string, { readonly data: number; readonly scale?: number }> = {
  Gemm: { data: 0 },
  MatMul: { data: 0 },
  FusedMatMul: { data: 0 },
  FusedGemm: { data: 0 },
  Conv: { data: 0 },
  FusedConv: { data: 0 },
  QLinearConv: { data: 0, scale: 1 },
  QLinearMatMul: { data: 0, scale: 1 },
  QGemm: { data: 0, scale: 1 },
  MatMulInteger: { data: 0 },
  ConvInteger: { data: 0 },
  DynamicQuantizeMatMul: { data: 0 },
  MatMulIntegerToFloat: { data: 0 },
  MatMulNBits: { data: 0 },
};

/** What may follow the last product: forms, biases, squashing, pooling of class maps. */
const passing = new Set(
  (
    'Identity Cast Flatten Reshape Squeeze Unsqueeze Transpose Dropout Softmax LogSoftmax Sigmoid Relu Clip ' +
    'Add Sub Mul Div GlobalAveragePool AveragePool ReduceMean QuantizeLinear DequantizeLinear ' +
    'QLinearSoftmax QLinearSigmoid QLinearAdd QLinearMul QLinearGlobalAveragePool QLinearAveragePool'
  ).split(' '),
);

/** Where 8-bit operators keep the scale of what they make; the zero point follows. */
const outputScale: Record<string, number> = {
  QuantizeLinear: 1,
  QLinearConv: 6,
  QLinearMatMul: 6,
  QLinearAdd: 6,
  QLinearMul: 6,
  QGemm: 7,
  QLinearGlobalAveragePool: 3,
  QLinearAveragePool: 3,
  QLinearReduceMean: 3,
  QLinearSigmoid: 3,
  QLinearLeakyRelu: 3,
  QLinearConcat: 0,
};

/** Operators that hand 8-bit values on with their scale. */
const sameScale = new Set([
  'Flatten',
  'Reshape',
  'Squeeze',
  'Unsqueeze',
  'Transpose',
  'MaxPool',
  'Identity',
  'Gather',
  'Slice',
]);

/** The input of the last linear layer before `output`, or the layer named. */
export function findFeatureLayer(
  graph: OnnxGraph,
  output: string,
  wanted: string | undefined,
  file: string,
): FeatureLayer {
  const makers = new Map(graph.nodes.flatMap((node) => node.outputs.map((value) => [value, node] as const)));
  if (wanted !== undefined) return namedLayer(graph, makers, wanted, file);
  const fixed = fixedValues(graph);
  let node = makers.get(output);
  for (let steps = 0; node && steps < 50; steps++) {
    const classifier = classifiers[node.op];
    if (classifier) {
      const open = node.inputs.filter((input) => input && !fixed.has(input));
      // A product of two pictures' values, as in attention, classifies nothing.
      if (open.length > (classifier.scale === undefined ? 1 : 3)) break;
      return layerOf(node, classifier.scale, open, makers);
    }
    if (!passing.has(node.op)) break;
    const open: string[] = node.inputs.filter((input) => input && !fixed.has(input));
    if (open.length !== 1) break;
    node = makers.get(open[0]);
  }
  throw new UserError(
    `${file}: no linear layer (Gemm, MatMul, Conv) was found before output '${output}'${node ? ` (the way back stops at ${node.op})` : ''}; choose the features with --layer, one of ${candidates(graph)}`,
  );
}

function layerOf(
  node: GraphNode,
  scale: number | undefined,
  open: readonly string[],
  makers: ReadonlyMap<string, GraphNode>,
): FeatureLayer {
  const value = open[0];
  // Quantised on the way in, anew for every picture: the numbers before that are the features.
  const maker = makers.get(value);
  if (maker?.op === 'DynamicQuantizeLinear') return { value: maker.inputs[0] };
  if (scale === undefined) return { value };
  return { value, quantized: { scale: node.inputs[scale], zeroPoint: node.inputs[scale + 1] ?? '' } };
}

function namedLayer(
  graph: OnnxGraph,
  makers: ReadonlyMap<string, GraphNode>,
  wanted: string,
  file: string,
): FeatureLayer {
  const value = makers.has(wanted) ? wanted : graph.nodes.find(({ name }) => name === wanted)?.outputs[0];
  if (value === undefined)
    throw new UserError(`${file} has no layer '${wanted}' (--layer); among the last are ${candidates(graph)}`);
  const quantized = scaleOf(value, makers);
  return { value, ...(quantized && { quantized }) };
}

/** Scale and zero point of an 8-bit value, from the operator that made it. */
function scaleOf(value: string, makers: ReadonlyMap<string, GraphNode>): FeatureLayer['quantized'] {
  let node = makers.get(value);
  for (let steps = 0; node && sameScale.has(node.op) && steps < 20; steps++) node = makers.get(node.inputs[0]);
  const at = node && outputScale[node.op];
  if (!node || at === undefined) return undefined;
  return { scale: node.inputs[at], zeroPoint: node.inputs[at + 1] ?? '' };
}

/** Weights, and what is computed from them alone. */
function fixedValues(graph: OnnxGraph): Set<string> {
  const fixed = new Set(graph.weights);
  for (const { op, inputs, outputs } of graph.nodes)
    if (op === 'Constant' || (inputs.length > 0 && inputs.every((input) => !input || fixed.has(input))))
      for (const output of outputs) fixed.add(output);
  return fixed;
}

/** The values that are worth naming: what goes into the last products and comes out of the last pooling. */
function candidates(graph: OnnxGraph): string {
  const fixed = fixedValues(graph);
  const names = graph.nodes.flatMap(({ op, inputs, outputs }) => {
    if (classifiers[op]) return inputs.slice(0, 1).filter((input) => !fixed.has(input));
    return /Pool|ReduceMean|Flatten|Gather|Normalization/.test(op) ? outputs.slice(0, 1) : [];
  });
  return [...new Set(names)].slice(-8).reverse().join(', ') || 'none';
}
