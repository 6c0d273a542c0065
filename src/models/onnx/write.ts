import { concatBytes, type Field, fields } from './protobuf.ts';

/** A node to be written; names of attributes and operators are ONNX's. */
export interface NodeSpec {
  readonly op: string;
  readonly domain?: string;
  readonly name?: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** A number is written as an integer where it is one; `{ float }` says otherwise. */
  readonly attributes?: Readonly<Record<string, number | readonly number[] | { readonly float: number } | string>>;
}

export interface TensorSpec {
  readonly name: string;
  readonly dims: readonly number[];
  readonly values: Float32Array | BigInt64Array | Uint8Array | Int8Array | Int32Array;
}

export interface ValueSpec {
  readonly name: string;
  /** TensorProto.DataType; float32 where left out. */
  readonly type?: number;
  /** A name leaves a dimension open; without a shape the file does not say. */
  readonly shape?: readonly (number | string)[];
}

export interface GraphSpec {
  readonly name: string;
  readonly producer: string;
  readonly irVersion?: number;
  readonly opset?: number;
  /** Further operator sets. */
  readonly domains?: Readonly<Record<string, number>>;
  readonly inputs: readonly ValueSpec[];
  readonly outputs: readonly ValueSpec[];
  readonly nodes: readonly NodeSpec[];
  readonly tensors: readonly TensorSpec[];
  readonly metadata?: Readonly<Record<string, string>>;
}

export const floatType = 1;
const encoder = new TextEncoder();

/** A whole ONNX file (onnx.proto, field numbers as published there). */
export function writeModel(spec: GraphSpec): Uint8Array {
  const { irVersion = 8, opset = 13, domains = {} } = spec;
  const graph = concatBytes([
    ...spec.nodes.map((node) => message(1, writeNode(node))),
    textField(2, spec.name),
    ...spec.tensors.map((tensor) => message(5, writeTensor(tensor))),
    ...spec.inputs.map((value) => message(11, writeValue(value))),
    ...spec.outputs.map((value) => message(12, writeValue(value))),
  ]);
  return concatBytes([
    varintField(1, irVersion),
    textField(2, spec.producer),
    message(7, graph),
    ...Object.entries({ '': opset, ...domains }).map(([domain, version]) =>
      message(8, concatBytes([textField(1, domain), varintField(2, version)])),
    ),
    ...writeMetadata(spec.metadata ?? {}),
  ]);
}

export const writeMetadata = (metadata: Readonly<Record<string, string>>): Uint8Array[] =>
  Object.entries(metadata).map(([key, value]) => message(14, concatBytes([textField(1, key), textField(2, value)])));

export function writeNode({ op, domain, name, inputs, outputs, attributes = {} }: NodeSpec): Uint8Array {
  return concatBytes([
    ...inputs.map((input) => textField(1, input)),
    ...outputs.map((output) => textField(2, output)),
    ...(name ? [textField(3, name)] : []),
    textField(4, op),
    ...Object.entries(attributes).map(([key, value]) => message(5, writeAttribute(key, value))),
    ...(domain ? [textField(7, domain)] : []),
  ]);
}

/** AttributeProto.AttributeType, which says how to read the rest. */
const attributeTypes = { float: 1, int: 2, text: 3, ints: 7 };

function writeAttribute(name: string, value: NonNullable<NodeSpec['attributes']>[string]): Uint8Array {
  const [type, field] =
    typeof value === 'string'
      ? [attributeTypes.text, textField(4, value)]
      : typeof value === 'number'
        ? [attributeTypes.int, varintField(3, value)]
        : 'float' in value
          ? [attributeTypes.float, floatField(2, value.float)]
          : [attributeTypes.ints, concatBytes(value.map((entry) => varintField(8, entry)))];
  return concatBytes([textField(1, name), field, varintField(20, type)]);
}

export function writeTensor({ name, dims, values }: TensorSpec): Uint8Array {
  const type =
    values instanceof Float32Array
      ? floatType
      : values instanceof Uint8Array
        ? 2
        : values instanceof Int8Array
          ? 3
          : values instanceof Int32Array
            ? 6
            : 7;
  const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return concatBytes([
    ...dims.map((dim) => varintField(1, dim)),
    varintField(2, type),
    textField(8, name),
    message(9, raw),
  ]);
}

export function writeValue({ name, type = floatType, shape }: ValueSpec): Uint8Array {
  const dims = shape?.map((dim) => message(1, typeof dim === 'number' ? varintField(1, dim) : textField(2, dim)));
  const tensor = concatBytes([varintField(1, type), ...(dims ? [message(2, concatBytes(dims))] : [])]);
  return concatBytes([textField(1, name), message(2, message(1, tensor))]);
}

/** Rewrites a message field by field: `change` gives the bytes in a field's place, or undefined to leave it out. */
export function rewrite(bytes: Uint8Array, change: (field: Field) => Uint8Array | undefined): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const field of fields(bytes)) {
    const changed = change(field);
    if (changed) parts.push(changed);
  }
  return concatBytes(parts);
}

const tag = (number: number, wire: number) => varint(BigInt(number * 8 + wire));

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, value);
  do {
    const low = Number(left & 0x7fn);
    left >>= 7n;
    bytes.push(left ? low | 0x80 : low);
  } while (left);
  return Uint8Array.from(bytes);
}

export const varintField = (number: number, value: number): Uint8Array =>
  concatBytes([tag(number, 0), varint(BigInt(value))]);
export const message = (number: number, bytes: Uint8Array): Uint8Array =>
  concatBytes([tag(number, 2), varint(BigInt(bytes.length)), bytes]);
export const textField = (number: number, text: string): Uint8Array => message(number, encoder.encode(text));

function floatField(number: number, value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return concatBytes([tag(number, 5), bytes]);
}
