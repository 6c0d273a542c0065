import { UserError } from '../../contracts/errors.ts';
import { type Field, fields, integers, ProtobufError, text } from './protobuf.ts';

/** Element types of onnx.proto's TensorProto.DataType, by number. */
const elementTypes = [
  'undefined', 'float32', 'uint8', 'int8', 'uint16', 'int16', 'int32', 'int64', 'string', 'bool', 'float16',
  'float64', 'uint32', 'uint64', 'complex64', 'complex128', 'bfloat16', 'float8e4m3fn', 'float8e4m3fnuz', 'float8e5m2',
  'float8e5m2fnuz', 'uint4', 'int4', 'float4e2m1',
] as const; // biome-ignore format: a table

export interface GraphValue {
  readonly name: string;
  readonly type: string;
  /** A name where the size is left open; undefined: the file does not say how many dimensions. */
  readonly shape: readonly (number | string)[] | undefined;
}

export interface GraphNode {
  readonly name: string;
  readonly op: string;
  readonly domain: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** What an ONNX file says about itself, weights left where they are. */
export interface OnnxGraph {
  readonly producer: string;
  readonly irVersion: number;
  readonly opset: number;
  readonly domains: Readonly<Record<string, number>>;
  readonly inputs: readonly GraphValue[];
  readonly outputs: readonly GraphValue[];
  readonly nodes: readonly GraphNode[];
  /** Operators and how often each stands in the graph, most frequent first. */
  readonly operators: Readonly<Record<string, number>>;
  /** Names of the weight tensors. */
  readonly weights: ReadonlySet<string>;
  /** Elements of all weight tensors. */
  readonly parameters: number;
  readonly weightTypes: Readonly<Record<string, number>>;
  /** Files, relative to the model's, that hold weights. */
  readonly externalData: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  /** Runs in 8-bit integers, which saturate on some processors; see `int8.ts`. */
  readonly quantized: boolean;
  /** Scales are found anew for every batch, so answers depend on what else is in it. */
  readonly dynamicallyQuantized: boolean;
}

/** Reads the graph of an ONNX file (onnx.proto, field numbers as published there). `file` names it in errors. */
export function readGraph(bytes: Uint8Array, file: string): OnnxGraph {
  if (bytes.length === 0) throw new UserError(`${file} is empty (0 bytes); expected an ONNX model`);
  const kind = lookalike(bytes);
  if (kind) throw new UserError(`${file} is not an ONNX model but ${kind}`);
  try {
    return readModel(bytes, file);
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    throw new UserError(
      error.truncated
        ? `${file} is not a whole ONNX model: it ends early, after ${bytes.length} bytes; download or export it again`
        : `${file} is not an ONNX model: its bytes are not in ONNX's format`,
    );
  }
}

function lookalike(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 64));
  if (start.startsWith('version https://git-lfs')) return 'a Git LFS pointer; fetch the file itself with git lfs pull';
  if (start.startsWith('PK\u0003\u0004')) return 'a zip archive (PyTorch checkpoint?); export the model to ONNX first';
  if (start.startsWith('\u0089HDF')) return 'an HDF5 file (Keras?); export the model to ONNX first';
  if (/^\s*(<!doctype|<html|\{|\[)/i.test(start)) return 'a text file';
  return undefined;
}

interface Collected {
  operators: Map<string, number>;
  weightTypes: Map<string, number>;
  externalData: Set<string>;
  parameters: number;
}

function readModel(bytes: Uint8Array, file: string): OnnxGraph {
  const producer: string[] = [];
  const domains: Record<string, number> = {};
  const metadata: Record<string, string> = {};
  let irVersion = 0;
  // A message given twice is merged (protobuf's rule for embedded messages), so graphs are collected as a list.
  const graphs: Uint8Array[] = [];
  const found: Collected = { operators: new Map(), weightTypes: new Map(), externalData: new Set(), parameters: 0 };
  for (const field of fields(bytes)) {
    if (field.number === 1) irVersion = Number(field.value);
    else if (field.number === 2 || field.number === 3) producer.push(text(field));
    else if (field.number === 7) graphs.push(field.bytes);
    else if (field.number === 8) {
      const [domain, version] = pair(field, (f) => Number(f.value));
      domains[domain] = version ?? 0;
    } else if (field.number === 14) {
      const [key, value] = pair(field, text);
      metadata[key] = value ?? '';
    } else if (field.number === 25)
      for (const part of fields(field.bytes)) if (part.number === 7) readNode(part.bytes, found);
  }
  if (graphs.length === 0) throw new UserError(`${file} is not an ONNX model: it holds no graph`);

  const inputs: GraphValue[] = [];
  const outputs: GraphValue[] = [];
  const nodes: GraphNode[] = [];
  const weights = new Set<string>();
  for (const graph of graphs)
    for (const field of fields(graph)) {
      if (field.number === 1) nodes.push(readNode(field.bytes, found));
      else if (field.number === 5) weights.add(readTensor(field.bytes, found));
      else if (field.number === 11) inputs.push(readValue(field.bytes));
      else if (field.number === 12) outputs.push(readValue(field.bytes));
    }
  const operators = sorted(found.operators);
  const has = (pattern: RegExp) => Object.keys(operators).some((op) => pattern.test(op));
  const dynamicallyQuantized = has(
    /^(DynamicQuantize|DynamicQuantizeLinear|DynamicQuantizeMatMul|DynamicQuantizeLSTM)/,
  );
  return {
    producer: producer.filter(Boolean).join(' '),
    irVersion,
    opset: domains[''] ?? domains['ai.onnx'] ?? 0,
    domains,
    // Before IR version 4 weights were listed among the inputs.
    inputs: inputs.filter((input) => !weights.has(input.name)),
    outputs,
    nodes,
    operators,
    weights,
    parameters: found.parameters,
    weightTypes: sorted(found.weightTypes),
    externalData: [...found.externalData].sort(),
    metadata,
    quantized:
      dynamicallyQuantized || has(/^(QLinear|QuantizeLinear$|MatMulInteger|ConvInteger|QGemm|QAttention|MatMulNBits)/),
    dynamicallyQuantized,
  };
}

const sorted = (counts: Map<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));

function pair<T>(field: Field, second: (field: Field) => T): [string, T | undefined] {
  let key = '';
  let value: T | undefined;
  for (const part of fields(field.bytes)) {
    if (part.number === 1) key = text(part);
    else if (part.number === 2) value = second(part);
  }
  return [key, value];
}

function readNode(bytes: Uint8Array, found: Collected): GraphNode {
  const inputs: string[] = [];
  const outputs: string[] = [];
  let name = '';
  let op = '';
  let domain = '';
  for (const field of fields(bytes)) {
    if (field.number === 1) inputs.push(text(field));
    else if (field.number === 2) outputs.push(text(field));
    else if (field.number === 3) name = text(field);
    else if (field.number === 4) op = text(field);
    else if (field.number === 7) domain = text(field);
    else if (field.number === 5) readAttribute(field.bytes, found);
  }
  found.operators.set(op, (found.operators.get(op) ?? 0) + 1);
  return { name, op, domain, inputs, outputs };
}

// Constants and the bodies of If and Loop hide in attributes.
function readAttribute(bytes: Uint8Array, found: Collected): void {
  for (const field of fields(bytes)) {
    if (field.number === 5 || field.number === 10) readTensor(field.bytes, found);
    else if (field.number === 6 || field.number === 11)
      for (const part of fields(field.bytes)) {
        if (part.number === 1) readNode(part.bytes, found);
        else if (part.number === 5) readTensor(part.bytes, found);
      }
  }
}

function readTensor(bytes: Uint8Array, found: Collected): string {
  const dims: number[] = [];
  let name = '';
  let type = 0;
  for (const field of fields(bytes)) {
    if (field.number === 1) dims.push(...integers(field));
    else if (field.number === 2) type = Number(field.value);
    else if (field.number === 8) name = text(field);
    else if (field.number === 13) {
      const [key, value] = pair(field, text);
      if (key === 'location' && value) found.externalData.add(value);
    }
  }
  const typeName = elementTypes[type] ?? `type ${type}`;
  // 64-bit integers are shapes and axes, not weights.
  if (typeName !== 'int64' && typeName !== 'bool' && typeName !== 'string') {
    const count = dims.reduce((product, dim) => product * dim, 1);
    found.parameters += count;
    found.weightTypes.set(typeName, (found.weightTypes.get(typeName) ?? 0) + count);
  }
  return name;
}

function readValue(bytes: Uint8Array): GraphValue {
  let name = '';
  let type = 'undefined';
  let shape: (number | string)[] | undefined;
  for (const field of fields(bytes)) {
    if (field.number === 1) name = text(field);
    else if (field.number === 2)
      for (const kind of fields(field.bytes)) {
        if (kind.number !== 1) type = 'not a tensor';
        else
          for (const part of fields(kind.bytes)) {
            if (part.number === 1) type = elementTypes[Number(part.value)] ?? `type ${part.value}`;
            else if (part.number === 2) shape = [...fields(part.bytes)].map(readDimension);
          }
      }
  }
  return { name, type, shape };
}

function readDimension(dimension: Field, index: number): number | string {
  for (const field of fields(dimension.bytes)) {
    if (field.number === 1) return Number(field.value) > 0 ? Number(field.value) : `d${index}`;
    if (field.number === 2) return text(field) || `d${index}`;
  }
  return `d${index}`;
}

/** The operator that makes a value, looked for behind those that only change its form. */
export function producerOf(graph: OnnxGraph, value: string): string | undefined {
  const makers = new Map(graph.nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
  const passing = /^(Identity|Cast|Flatten|Reshape|Squeeze|Unsqueeze|Transpose|QuantizeLinear|DequantizeLinear)$/;
  let node = makers.get(value);
  for (let steps = 0; node && passing.test(node.op) && steps < 20; steps++) node = makers.get(node.inputs[0]);
  return node?.op;
}
