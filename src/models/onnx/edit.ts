import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { concatBytes, type Field, fields, text } from './protobuf.ts';
import {
  message,
  type NodeSpec,
  rewrite,
  type TensorSpec,
  type ValueSpec,
  writeMetadata,
  writeNode,
  writeTensor,
  writeValue,
} from './write.ts';

export interface GraphEdit {
  /** Added after the nodes there are; one that makes a value of the graph takes the place of the node that made it. */
  readonly nodes?: readonly NodeSpec[];
  /** The new inputs, in place of the old ones: values of the graph, or of the nodes added. */
  readonly inputs?: readonly ValueSpec[];
  readonly tensors?: readonly TensorSpec[];
  /** The new outputs, in place of the old ones; what none of them needs is left out. */
  readonly outputs: readonly ValueSpec[];
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Fields of onnx.proto's GraphProto. */
const graphFields = { node: 1, tensor: 5, input: 11, output: 12, value: 13, annotation: 14, sparse: 15 };

/**
 * An ONNX file with other outputs: nodes and tensors added, what is no longer needed taken out. Everything else, known
 * or not, is kept as it stands. Weights in files beside it are taken in, so that the result is one file.
 */
export function editModel(path: string, edit: GraphEdit): Uint8Array {
  const bytes = readFileSync(path);
  const graphs: Uint8Array[] = [];
  let irVersion = 0;
  for (const field of fields(bytes)) {
    if (field.number === 1) irVersion = Number(field.value);
    else if (field.number === 7) graphs.push(field.bytes);
  }
  const graph = editGraph(concatBytes(graphs), edit, { irVersion, folder: dirname(path) });
  const size = graph.length + bytes.length - graphs.reduce((sum, { length }) => sum + length, 0);
  if (size >= 2 ** 31) throw new UserError(`${path} with its weights is larger than one ONNX file may be (2 GiB)`);
  let done = false;
  const model = rewrite(bytes, (field) => {
    if (field.number !== 7) return field.raw;
    if (done) return undefined;
    done = true;
    return message(7, graph);
  });
  return concatBytes([model, ...writeMetadata(edit.metadata ?? {})]);
}

interface GraphContext {
  readonly irVersion: number;
  readonly folder: string;
}

function editGraph(bytes: Uint8Array, edit: GraphEdit, { irVersion, folder }: GraphContext): Uint8Array {
  const { nodes = [], tensors = [], inputs, outputs } = edit;
  const used = reachable(bytes, edit);
  const replaced = new Set([...nodes.flatMap((node) => node.outputs), ...(inputs ?? []).map(({ name }) => name)]);
  const named = (field: Field, nameField: number) => used.has(nameOf(field.bytes, nameField));
  const weights = new Set<string>();
  for (const field of fields(bytes)) if (field.number === graphFields.tensor) weights.add(nameOf(field.bytes, 8));
  const kept = rewrite(bytes, (field) => {
    switch (field.number) {
      case graphFields.node:
        return edgesOf(field.bytes).outputs.some((output) => used.has(output) && !replaced.has(output))
          ? field.raw
          : undefined;
      case graphFields.tensor:
        return named(field, 8) ? message(graphFields.tensor, takeIn(field.bytes, folder)) : undefined;
      case graphFields.sparse:
        return sparseName(field.bytes, used) ? field.raw : undefined;
      case graphFields.input:
        // Before IR version 4 weights were listed among the inputs.
        return (weights.has(nameOf(field.bytes, 1)) ? named(field, 1) : !inputs) ? field.raw : undefined;
      case graphFields.value:
      case graphFields.annotation:
        return named(field, 1) ? field.raw : undefined;
      case graphFields.output:
        return undefined;
      default:
        return field.raw;
    }
  });
  const listed = irVersion < 4 ? tensors : [];
  return concatBytes([
    kept,
    ...nodes.map((node) => message(graphFields.node, writeNode(node))),
    ...tensors.map((tensor) => message(graphFields.tensor, writeTensor(tensor))),
    ...listed.map(({ name, dims, values }) =>
      message(
        graphFields.input,
        writeValue({ name, shape: dims, ...(values instanceof BigInt64Array && { type: 7 }) }),
      ),
    ),
    ...(inputs ?? []).map((input) => message(graphFields.input, writeValue(input))),
    ...outputs.map((output) => message(graphFields.output, writeValue(output))),
  ]);
}

interface Edges {
  readonly inputs: string[];
  readonly outputs: string[];
}

/** Values that the new outputs depend on, back to the inputs. */
function reachable(bytes: Uint8Array, { nodes = [], inputs = [], outputs }: GraphEdit): Set<string> {
  const makers = new Map<string, readonly string[]>();
  for (const field of fields(bytes)) {
    if (field.number !== graphFields.node) continue;
    const edges = edgesOf(field.bytes);
    for (const output of edges.outputs) makers.set(output, edges.inputs);
  }
  for (const node of nodes) for (const output of node.outputs) makers.set(output, node.inputs);
  for (const { name } of inputs) makers.delete(name);
  const used = new Set<string>();
  const open = outputs.map(({ name }) => name);
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (used.has(value) || value === '') continue;
    used.add(value);
    open.push(...(makers.get(value) ?? []));
  }
  return used;
}

/** A node's inputs and outputs; the bodies of If and Loop read values of the graph around them. */
function edgesOf(node: Uint8Array): Edges {
  const edges: Edges = { inputs: [], outputs: [] };
  for (const field of fields(node)) {
    if (field.number === 1) edges.inputs.push(text(field));
    else if (field.number === 2) edges.outputs.push(text(field));
    else if (field.number === 5)
      for (const part of fields(field.bytes)) {
        if (part.number !== 6 && part.number !== 11) continue;
        for (const inner of fields(part.bytes)) {
          if (inner.number === graphFields.node) edges.inputs.push(...edgesOf(inner.bytes).inputs);
          else if (inner.number === graphFields.output) edges.inputs.push(nameOf(inner.bytes, 1));
        }
      }
  }
  return edges;
}

function nameOf(bytes: Uint8Array, number: number): string {
  for (const field of fields(bytes)) if (field.number === number) return text(field);
  return '';
}

function sparseName(bytes: Uint8Array, used: ReadonlySet<string>): boolean {
  for (const field of fields(bytes)) if (field.number === 1) return used.has(nameOf(field.bytes, 8));
  return false;
}

/** A tensor whose values lie in another file, with its values. */
function takeIn(tensor: Uint8Array, folder: string): Uint8Array {
  const place: Record<string, string> = {};
  for (const field of fields(tensor)) if (field.number === 13) place[nameOf(field.bytes, 1)] = nameOf(field.bytes, 2);
  if (!place.location) return tensor;
  const file = join(folder, place.location);
  const values = place.length
    ? readPart(file, Number(place.offset ?? 0), Number(place.length))
    : readFileSync(file).subarray(Number(place.offset ?? 0));
  const rest = rewrite(tensor, ({ number, raw }) => (number === 13 || number === 14 ? undefined : raw));
  return concatBytes([rest, message(9, values)]);
}

function readPart(file: string, offset: number, length: number): Uint8Array {
  const part = new Uint8Array(length);
  const handle = openSync(file, 'r');
  try {
    const read = readSync(handle, part, 0, length, offset);
    if (read < length) throw new UserError(`${file} ends early: expected ${length} bytes from ${offset} on`);
    return part;
  } finally {
    closeSync(handle);
  }
}
