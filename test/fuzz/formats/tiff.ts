import type { Random } from '../../../src/contracts/random.ts';
import { pictureTarget } from '../pictures.ts';
import { oddInteger, type Piece, type PieceFormat } from '../pieces.ts';

/**
 * The pieces are the entries of the first directory, which is written anew at the file's end: a tag may then come twice, miss,
 * or be of another type and count, while the offsets of all others still hold. `head` is all that was there before.
 */
const tiffFormat: PieceFormat = {
  split(bytes) {
    const layout = layoutOf(bytes);
    const pieces: Piece[] = [{ name: 'head', body: bytes }];
    if (!layout) return pieces;
    const { little, entry, first, count } = layout;
    for (let i = 0; i < count && first + (i + 1) * entry <= bytes.length; i++) {
      const body = bytes.subarray(first + i * entry, first + (i + 1) * entry);
      pieces.push({ name: `tag ${little ? body.readUInt16LE(0) : body.readUInt16BE(0)}`, body });
    }
    pieces.push({ name: 'next', body: Buffer.alloc(entry === 12 ? 4 : 8) });
    return pieces;
  },
  join(pieces) {
    const whole = pieces.find(({ name }) => name === 'head')?.body ?? Buffer.alloc(0);
    const layout = layoutOf(whole);
    if (!layout) return whole;
    const { little, entry } = layout;
    const put = (target: Buffer, value: number, at: number, bytes: 2 | 4) =>
      little
        ? target.writeUIntLE(value % 2 ** (8 * bytes), at, bytes)
        : target.writeUIntBE(value % 2 ** (8 * bytes), at, bytes);
    const head = Buffer.from(whole);
    const big = entry === 20;
    put(head, head.length, big ? (little ? 8 : 12) : 4, 4);
    const entries = pieces.filter(({ name }) => name.startsWith('tag '));
    const counts = Buffer.alloc(big ? 8 : 2);
    const lie = pieces.find(({ name }) => name === 'next')?.claims;
    put(counts, lie ?? entries.length, big && !little ? 6 : 0, 2);
    const next = pieces.find(({ name }) => name === 'next')?.body ?? Buffer.alloc(0);
    return Buffer.concat([head, counts, ...entries.map(({ body }) => body), next]);
  },
  // Type, count and value of what decides size and layout; both byte orders, one of which fits.
  fields: [
    256, 257, 258, 259, 262, 273, 277, 278, 279, 284, 317, 320, 322, 323, 324, 325, 330, 338, 339, 347, 530, 34675,
    34665,
  ].flatMap((tag) => [
    { name: `tag ${tag}`, at: 2, bytes: 2, little: true } as const,
    { name: `tag ${tag}`, at: 4, bytes: 4, little: true } as const,
    { name: `tag ${tag}`, at: 8, bytes: 2, little: true } as const,
    { name: `tag ${tag}`, at: 8, bytes: 4, little: true } as const,
  ]),
  odd: (random) => random.pick(oddEntries)(random),
};

interface Layout {
  readonly little: boolean;
  readonly entry: 12 | 20;
  readonly first: number;
  readonly count: number;
}

function layoutOf(bytes: Buffer): Layout | undefined {
  if (bytes.length < 16) return undefined;
  const little = bytes[0] === 0x49;
  const u16 = (at: number) => (at + 2 > bytes.length ? 0 : little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const u32 = (at: number) => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  if (u16(2) === 43) {
    const at = u32(little ? 8 : 12);
    return { little, entry: 20, first: at + 8, count: u16(at + (little ? 0 : 6)) };
  }
  const at = u32(4);
  return { little, entry: 12, first: at + 2, count: u16(at) };
}

function entryOf(tag: number, type: number, count: number, value: number): Piece {
  const body = Buffer.alloc(12);
  body.writeUInt16LE(tag, 0);
  body.writeUInt16LE(type, 2);
  body.writeUInt32LE(count >>> 0, 4);
  body.writeUInt32LE(value >>> 0, 8);
  return { name: `tag ${tag}`, body };
}

const tags = [
  254, 256, 257, 258, 259, 262, 266, 273, 274, 277, 278, 279, 282, 284, 317, 322, 323, 324, 325, 330, 338, 339, 347,
  532, 700, 34675,
];
const compressions = [1, 2, 3, 4, 5, 6, 7, 8, 32773, 32809, 32946, 34712, 34925, 50000, 50001];
const oddEntries: readonly ((random: Random) => Piece)[] = [
  (random) =>
    entryOf(
      random.pick(tags),
      random.integer(0, 18),
      random.pick([1, 1, 1, 0, 2, 3, oddInteger(random)]),
      oddInteger(random),
    ),
  (random) => entryOf(259, 3, 1, random.pick(compressions)),
  // A directory that leads back to itself, or into the pixels.
  (random) => ({ name: 'next', body: Buffer.of(random.pick([8, 0, 10, 255]), random.integer(0, 3), 0, 0) }),
  (random) => entryOf(330, 13, random.pick([1, 2, 60_000]), random.pick([8, 10, 200])),
];

export const tiffTarget = pictureTarget('tiff', tiffFormat);
