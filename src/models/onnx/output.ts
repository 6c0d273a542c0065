import { UserError } from '../../contracts/errors.ts';
import type { Preprocessing } from '../../contracts/model-record.ts';
import type { Labels } from '../label-sets.ts';
import { type GraphValue, type OnnxGraph, producerOf } from './graph.ts';
import { type ImageInput, type ModelFile, showShape } from './model-file.ts';
import type { GraphTrial } from './trial.ts';

/** The output that holds the answer: the one asked for, else one with a telling name, else the first. */
export function chooseOutput({ path, graph }: ModelFile, wanted: string | undefined): GraphValue {
  if (graph.outputs.length === 0) throw new UserError(`${path} has no output`);
  if (wanted) {
    const output = graph.outputs.find(({ name }) => name === wanted);
    if (output) return output;
    throw new UserError(
      `${path} has no output '${wanted}'; it has ${graph.outputs.map(({ name }) => `'${name}'`).join(', ')}`,
    );
  }
  const tensors = graph.outputs.filter(({ type }) => type !== 'not a tensor' && type !== 'string');
  return tensors.find(({ name }) => /^(logits|probabilities|scores)$/i.test(name)) ?? tensors[0] ?? graph.outputs[0];
}

/** What a model does, by the shape of its answer; undefined: the file does not say. */
export function guessTask({ shape, type }: GraphValue, input: ImageInput): 'classify' | 'segment' | undefined {
  if (!shape) return undefined;
  if (shape.length <= 2) return 'classify';
  if (shape.length === 3) return /int|bool/.test(type) || isGrid(shape, input) ? 'segment' : 'classify';
  return shape.slice(2).every((size) => size === 1) ? 'classify' : 'segment';
}

/** Three dimensions are a map where the last two have the picture's proportions, and tokens or features where not. */
const isGrid = ([, rows, columns]: readonly (number | string)[], { width, height }: ImageInput) =>
  typeof rows !== 'number' || typeof columns !== 'number' || !width || rows * width === columns * height;

/** A trial whose answer turned out to be a map. */
export const isMap = ({ dims }: GraphTrial, input: ImageInput) =>
  dims.length === 4 ? dims[2] * dims[3] > 1 : dims.length === 3 && isGrid(dims, input);

/** Scores per picture. */
export function outputCount({ path }: ModelFile, { name, type }: GraphValue, { dims }: GraphTrial): number {
  if (/int|bool/.test(type))
    throw new UserError(
      `${path}: output '${name}' is ${type}, a class number and not scores; export the model without its ArgMax, or name another output`,
    );
  const count = dims.slice(1).reduce((product, size) => product * size, 1);
  if (dims.length > 1 && dims.slice(2).every((size) => size === 1)) return count;
  throw new UserError(
    `${path}: output '${name}' has shape ${showShape(dims)}; expected [N, classes] or [N, classes, 1, 1] from a classifier`,
  );
}

export function checkLabels({ names, from }: Labels, count: number, path: string): void {
  if (names.length !== count)
    throw new UserError(`${path} has ${count} outputs, but its labels (${from}) are ${names.length}`);
}

export interface KindHints {
  readonly stated: { value: 'logits' | 'probabilities' | 'min-max'; from: string } | undefined;
  readonly likeU2net: boolean;
}

/** What the numbers mean: as stated, else by the last operator, else by the values. */
export function outputKind(
  graph: OnnxGraph,
  { name, type }: GraphValue,
  trial: GraphTrial,
  { stated, likeU2net }: KindHints,
) {
  if (/int|bool/.test(type)) return { kind: 'indices', from: `the output is ${type}` } as const;
  if (stated) return { kind: stated.value, from: stated.from };
  if (likeU2net) return { kind: 'min-max', from: 'u2net' } as const;
  const maker = producerOf(graph, name);
  if (maker && /^(QLinear)?(Softmax|Sigmoid)$/.test(maker))
    return { kind: 'probabilities', from: `the graph ends in ${maker}` } as const;
  if (trial.sumsToOne) return { kind: 'probabilities', from: 'they sum to 1' } as const;
  return { kind: 'logits', from: `the graph ends in ${maker ?? 'no softmax'}` } as const;
}

/** Classes of a segmentation model; 0: the output holds class indices or one map without a channel axis. */
export function channelCount({ dims }: GraphTrial, { layout }: Preprocessing): number {
  if (dims.length < 4) return 0;
  return layout === 'NHWC' && dims[1] !== 1 ? dims[3] : dims[1];
}
