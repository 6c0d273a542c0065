import { UserError } from '../../contracts/errors.ts';

/** One field of a protobuf message: a number for varints and fixed-width values, bytes for everything else. */
export interface Field {
  readonly number: number;
  readonly value: bigint | number;
  readonly bytes: Uint8Array;
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
    const tag = Number(varint());
    const number = tag >>> 3;
    if (number === 0) throw notProtobuf();
    switch (tag & 7) {
      case 0:
        yield { number, value: BigInt.asIntN(64, varint()), bytes: nothing };
        break;
      case 1:
        if (at + 8 > message.length) throw cutShort();
        yield { number, value: view.getFloat64(at, true), bytes: message.subarray(at, at + 8) };
        at += 8;
        break;
      case 2: {
        const length = Number(varint());
        if (at + length > message.length) throw cutShort();
        yield { number, value: 0, bytes: message.subarray(at, at + length) };
        at += length;
        break;
      }
      case 5:
        if (at + 4 > message.length) throw cutShort();
        yield { number, value: view.getFloat32(at, true), bytes: message.subarray(at, at + 4) };
        at += 4;
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
