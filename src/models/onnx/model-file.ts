import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import type { InputFacts } from '../record/resolve.ts';
import { type GraphValue, type OnnxGraph, readGraph } from './graph.ts';

export interface ModelFile {
  readonly path: string;
  /** Of the file's bytes, and of the files with its weights. */
  readonly sha256: string;
  readonly bytes: number;
  readonly graph: OnnxGraph;
}

/** Reads and hashes an ONNX file with the weight files that belong to it. */
export async function readModelFile(path: string): Promise<ModelFile> {
  if (!existsSync(path)) throw new UserError(`There is no model at ${path}`);
  if (!statSync(path).isFile()) throw new UserError(`${path} is a folder; expected an ONNX file`);
  if (statSync(path).size >= 2 ** 31) throw new UserError(`${path} is larger than an ONNX file may be (2 GiB)`);
  const bytes = readFileSync(path);
  const graph = readGraph(bytes, path);
  const hash = createHash('sha256').update(bytes);
  let size = bytes.length;
  for (const name of graph.externalData) {
    const file = join(dirname(path), name);
    if (!existsSync(file)) throw new UserError(`${path} keeps its weights in ${name}, which is not beside it`);
    size += statSync(file).size;
    for await (const chunk of createReadStream(file)) hash.update(chunk);
  }
  return { path, sha256: hash.digest('hex'), bytes: size, graph };
}

const sizeOf = (dimension: number | string | undefined) => (typeof dimension === 'number' ? dimension : 0);

/** The image input: its type, and what its shape fixes. `batch` 0: any number at a time; `rank` 3: one, without a batch. */
export interface ImageInput extends InputFacts {
  readonly batch: number;
  readonly rank: 3 | 4;
}

/** Finds the input that takes the picture. */
export function imageInput({ path, graph }: ModelFile, wanted?: string): ImageInput {
  if (graph.inputs.length === 0) throw new UserError(`${path} has no input`);
  const input = wanted ? graph.inputs.find(({ name }) => name === wanted) : graph.inputs[0];
  if (!input) throw new UserError(`${path} has no input '${wanted}'; it has ${listValues(graph.inputs)}`);
  if (graph.inputs.length > 1)
    throw new UserError(
      `${path} wants ${graph.inputs.length} inputs (${listValues(graph.inputs)}); only models that take one picture can be run`,
    );
  const { name, type, shape } = input;
  if (type !== 'float32' && type !== 'float16' && type !== 'uint8')
    throw new UserError(`${path}: input '${name}' takes ${type}; expected float32, float16 or uint8 pixels`);
  if (shape && shape.length !== 4 && shape.length !== 3)
    throw new UserError(
      `${path}: input '${name}' has shape ${showShape(shape)}; expected a picture, [N, 3, height, width] or [N, height, width, 3]`,
    );
  const rank = shape?.length === 3 ? 3 : 4;
  const [batch, ...rest] = rank === 3 ? [1, ...(shape ?? [])] : (shape ?? ['N', 'C', 'H', 'W']);
  const isChannels = (dimension: number | string) => dimension === 3 || dimension === 1;
  const layout = isChannels(rest[0]) ? 'NCHW' : isChannels(rest[2]) ? 'NHWC' : undefined;
  if (!layout && typeof rest[0] === 'number' && typeof rest[2] === 'number')
    throw new UserError(`${path}: input '${name}' has shape ${showShape(shape)}; expected 3 (or 1) channels`);
  const [channels, height, width] = layout === 'NHWC' ? [rest[2], rest[0], rest[1]] : rest;
  return {
    name,
    type,
    layout,
    batch: sizeOf(batch),
    rank,
    channels: sizeOf(channels),
    height: sizeOf(height),
    width: sizeOf(width),
  };
}

export const showShape = (shape: GraphValue['shape']) => (shape ? `[${shape.join(', ')}]` : 'of unknown shape');
const listValues = (values: readonly GraphValue[]) =>
  values.map(({ name, type, shape }) => `'${name}' ${type} ${showShape(shape)}`).join(', ');
