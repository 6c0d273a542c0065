import { UserError } from '../../contracts/errors.ts';

/** One field of a protobuf message: a number for varints and fixed-width values, bytes for everything else. */
export interface Field {
  readonly number: number;
  readonly value: bigint | number;
  readonly bytes: Uint8Array;
  /** The whole field with its tag, as it stands in the message. */
  readonly raw: Uint8Array;
}

const nothing = new Uint8Array(0);

/** Walks the fields of a message (protobuf encoding, wire types 0, 1, 2 and 5) without copying. */
export function* fields(message: Uint8Array): Generator<Field> {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (at >= message.length) throw cutShort();
      const byte = message[at++];
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw notProtobuf();
  };
  while (at < message.length) {
    const start = at;
    const tag = Number(varint());
    const number = tag >>> 3;
    if (number === 0) throw notProtobuf();
    switch (tag & 7) {
      case 0:
        yield { number, value: BigInt.asIntN(64, varint()), bytes: nothing, raw: message.subarray(start, at) };
        break;
      case 1:
        if (at + 8 > message.length) throw cutShort();
        at += 8;
        yield {
          number,
          value: view.getFloat64(at - 8, true),
          bytes: message.subarray(at - 8, at),
          raw: message.subarray(start, at),
        };
        break;
      case 2: {
        const length = Number(varint());
        if (at + length > message.length) throw cutShort();
        at += length;
        yield { number, value: 0, bytes: message.subarray(at - length, at), raw: message.subarray(start, at) };
        break;
      }
      case 5:
        if (at + 4 > message.length) throw cutShort();
        at += 4;
        yield {
          number,
          value: view.getFloat32(at - 4, true),
          bytes: message.subarray(at - 4, at),
          raw: message.subarray(start, at),
        };
        break;
      default:
        throw notProtobuf();
    }
  }
}

/** Repeated integers, packed into one field or not. */
export function integers({ bytes, value }: Field): number[] {
  if (bytes.length === 0) return typeof value === 'bigint' ? [Number(value)] : [];
  const list: number[] = [];
  let current = 0n;
  let shift = 0n;
  for (const byte of bytes) {
    current |= BigInt(byte & 0x7f) << shift;
    shift += 7n;
    if (byte < 0x80) {
      list.push(Number(BigInt.asIntN(64, current)));
      current = 0n;
      shift = 0n;
    }
  }
  return list;
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const decoder = new TextDecoder();
export const text = (field: Field): string => decoder.decode(field.bytes);

/** Caught by the graph reader, which knows the file's name. */
export class ProtobufError extends UserError {
  readonly truncated: boolean;
  constructor(truncated: boolean) {
    super(truncated ? 'the message ends early' : 'not a protobuf message');
    this.truncated = truncated;
  }
}
const cutShort = () => new ProtobufError(true);
const notProtobuf = () => new ProtobufError(false);
