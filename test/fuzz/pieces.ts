import type { Random } from '../../src/contracts/random.ts';
import { disturbBytes } from './grammar.ts';

/** A chunk, segment, box or entry of a file: what its format names it by, and what it holds. */
export interface Piece {
  readonly name: string;
  readonly body: Buffer;
  /** Written instead of the true length. */
  readonly claims?: number;
  /** Whatever checks the body is left as wrong as it is. */
  readonly unchecked?: boolean;
}

/** Where a number lies that decides much: size, depth, count, offset. */
export interface Field {
  /** Of the piece that holds it. */
  readonly name: string;
  readonly at: number;
  readonly bytes: 1 | 2 | 4 | 8;
  readonly little?: boolean;
}

/** A format: how a file falls into pieces, how pieces make a file with its lengths and check sums repaired. */
export interface PieceFormat {
  split(bytes: Buffer): Piece[];
  join(pieces: readonly Piece[]): Buffer;
  readonly fields: readonly Field[];
  /** Pieces that may turn up anywhere, made to hurt. */
  readonly odd?: (random: Random) => Piece;
}

const edges = [0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 24, 25, 32, 64, 100, 255, 256, 999, 1000, 1001, 9999];
const wide = [0x7fff, 0x8000, 0xffff, 0x1_0000, 0xff_ffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, 0xffff_ffff];

/** A whole number that decoders forget; sometimes a neighbour of the one that was there. */
export function oddInteger(random: Random, was = 0): number {
  const luck = random.uniform();
  if (luck < 0.25) return Math.max(0, was + random.pick([-1, 1, -2, 2, 8]));
  return luck < 0.65 ? random.pick(edges) : luck < 0.9 ? random.pick(wide) : random.integer(0, 0xffff);
}

export function putInteger(body: Buffer, { at, bytes, little }: Omit<Field, 'name'>, value: number): void {
  if (at + bytes > body.length) return;
  if (bytes === 8) {
    const big = BigInt(value);
    if (little) body.writeBigUInt64LE(big, at);
    else body.writeBigUInt64BE(big, at);
    return;
  }
  const fitting = value % 2 ** (8 * bytes);
  if (little) body.writeUIntLE(fitting, at, bytes);
  else body.writeUIntBE(fitting, at, bytes);
}

const getInteger = (body: Buffer, { at, bytes, little }: Omit<Field, 'name'>) =>
  at + bytes > body.length || bytes === 8 ? 0 : little ? body.readUIntLE(at, bytes) : body.readUIntBE(at, bytes);

/** Anything but the pieces' order alone: one piece changed in one way. */
function change(piece: Piece, random: Random): Piece {
  const body = Buffer.from(piece.body);
  const kind = random.integer(0, 5);
  if (kind === 0) return { ...piece, claims: oddInteger(random, body.length) };
  if (kind === 1) return { ...piece, body: body.subarray(0, random.integer(0, body.length)) };
  if (kind === 2)
    return { ...piece, body: Buffer.concat([body, Buffer.alloc(random.integer(1, 64), random.integer(0, 255))]) };
  if (kind === 3 && body.length) {
    const bytes = random.pick([1, 2, 4] as const);
    const at = random.integer(0, Math.max(0, Math.min(body.length, 64) - bytes));
    const field = { at, bytes, little: random.uniform() < 0.5 };
    putInteger(body, field, oddInteger(random, getInteger(body, field)));
    return { ...piece, body };
  }
  return { ...piece, body: Buffer.from(disturbBytes(body, random)), unchecked: kind === 4 };
}

/** The file with some pieces changed, doubled, left out, moved or strange, put together again; now and then bytes are hurt too. */
export function disturbPieces(bytes: Buffer, format: PieceFormat, random: Random, others: readonly Buffer[]): Buffer {
  const pieces = format.split(bytes);
  for (let round = random.integer(1, 3); round > 0 && pieces.length; round--) {
    const at = random.integer(0, pieces.length - 1);
    const luck = random.uniform();
    if (luck < 0.4 && format.fields.length) setField(pieces, random.pick(format.fields), random);
    else if (luck < 0.6) pieces[at] = change(pieces[at], random);
    else if (luck < 0.68) pieces.splice(at, 1);
    else if (luck < 0.76) pieces.splice(random.integer(0, pieces.length), 0, pieces[at]);
    else if (luck < 0.83) pieces.splice(random.integer(0, pieces.length - 1), 0, ...pieces.splice(at, 1));
    else if (luck < 0.91 && format.odd) pieces.splice(random.integer(0, pieces.length), 0, format.odd(random));
    else {
      const grafted = format.split(random.pick(others));
      if (grafted.length) pieces.splice(random.integer(0, pieces.length), 0, random.pick(grafted));
    }
  }
  let out = format.join(pieces);
  if (random.uniform() < 0.1) out = out.subarray(0, random.integer(0, out.length));
  if (random.uniform() < 0.15) out = Buffer.from(disturbBytes(out, random));
  return out;
}

function setField(pieces: Piece[], field: Field, random: Random): void {
  const at = pieces.findIndex(({ name }) => name === field.name);
  if (at < 0) return;
  const body = Buffer.from(pieces[at].body);
  putInteger(body, field, oddInteger(random, getInteger(body, field)));
  pieces[at] = { ...pieces[at], body };
}
