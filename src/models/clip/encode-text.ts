import type { InferenceSession } from 'onnxruntime-node';
import { UserError } from '../../contracts/errors.ts';
import type { OnnxGraph } from '../onnx/graph.ts';
import { asFloats, firstLine, Tensor } from '../onnx/session.ts';
import type { TextBatch } from './tokenize.ts';

/** The output that holds one vector per row, by its usual names, else the only one of that shape. */
export function embeddingOutput(graph: OnnxGraph, file: string, kind: 'image' | 'text'): string {
  const names = [`${kind}_embeds`, `${kind}_features`, `${kind}_embeddings`, 'embeddings', 'embeds', 'pooler_output'];
  for (const name of names) if (graph.outputs.some((output) => output.name === name)) return name;
  const flat = graph.outputs.filter(({ shape }) => shape?.length === 2);
  if (flat.length === 1) return flat[0].name;
  throw new UserError(
    `${file} has no output called ${kind}_embeds; it has ${graph.outputs.map(({ name }) => `'${name}'`).join(', ')}`,
  );
}

export interface TextEncoder {
  readonly session: InferenceSession;
  readonly graph: OnnxGraph;
  readonly output: string;
  readonly file: string;
}

/** Runs texts through the encoder; one vector of length 1 per text. */
export async function encodeTexts(
  { session, graph, output, file }: TextEncoder,
  { ids, mask }: TextBatch,
): Promise<Float32Array[]> {
  const length = ids[0].length;
  const feeds: Record<string, Tensor> = {};
  for (const { name, type } of graph.inputs) {
    const rows = /mask/.test(name) ? mask : /input_ids|^ids$|tokens?$|^text$|^input$/.test(name) ? ids : undefined;
    if (!rows) throw new UserError(`${file} wants an input '${name}', which is neither input_ids nor attention_mask`);
    const flat = rows.flat();
    if (type === 'int64') feeds[name] = new Tensor('int64', BigInt64Array.from(flat, BigInt), [ids.length, length]);
    else if (type === 'int32') feeds[name] = new Tensor('int32', Int32Array.from(flat), [ids.length, length]);
    else throw new UserError(`${file}: input '${name}' takes ${type}; expected int64 or int32 tokens`);
  }
  try {
    const { [output]: embeddings } = await session.run(feeds, [output]);
    const data = asFloats(embeddings);
    const size = data.length / ids.length;
    return ids.map((_, i) => toUnitLength(data.subarray(i * size, (i + 1) * size)));
  } catch (error) {
    throw new UserError(`${file} failed on ${ids.length} texts of ${length} tokens: ${firstLine(error)}`);
  }
}

/** The vector scaled to length 1. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum) || 1;
  return vector.map((value) => value / length);
}
