import type { Random } from '../../../src/contracts/random.ts';
import { pictureTarget } from '../pictures.ts';
import { oddInteger, type Piece, type PieceFormat } from '../pieces.ts';

/** GIF89a: the screen with its palette, then frames (a descriptor, a palette, LZW data in blocks of up to 255) and extensions. */
const gifFormat: PieceFormat = {
  split(bytes) {
    const paletteBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
    let at = 13 + paletteBytes(bytes[10]);
    const pieces: Piece[] = [{ name: 'screen', body: bytes.subarray(0, at) }];
    while (at < bytes.length) {
      const start = at;
      const kind = bytes[at];
      if (kind === 0x2c) {
        at += 10 + paletteBytes(bytes[at + 9]);
        pieces.push({ name: 'frame', body: bytes.subarray(start, at) });
        const data = at;
        at = endOfBlocks(bytes, at + 1);
        pieces.push({ name: 'data', body: bytes.subarray(data, at) });
      } else if (kind === 0x21) {
        at = endOfBlocks(bytes, at + 2);
        pieces.push({ name: bytes[start + 1] === 0xf9 ? 'control' : 'extension', body: bytes.subarray(start, at) });
      } else {
        at++;
        pieces.push({ name: 'end', body: bytes.subarray(start, at) });
      }
    }
    return pieces;
  },
  join: (pieces) =>
    Buffer.concat(
      pieces.map(({ name, body, claims }) => {
        if (claims === undefined || body.length < 3) return body;
        const lying = Buffer.from(body);
        lying[name === 'data' ? 1 : 2] = claims & 255;
        return lying;
      }),
    ),
  fields: [
    { name: 'screen', at: 6, bytes: 2, little: true },
    { name: 'screen', at: 8, bytes: 2, little: true },
    { name: 'screen', at: 10, bytes: 1 },
    { name: 'screen', at: 11, bytes: 1 },
    ...[1, 3, 5, 7].map((at) => ({ name: 'frame', at, bytes: 2 as const, little: true })),
    { name: 'frame', at: 9, bytes: 1 },
    { name: 'data', at: 0, bytes: 1 },
    { name: 'data', at: 1, bytes: 1 },
    { name: 'data', at: 2, bytes: 2, little: true },
    { name: 'control', at: 2, bytes: 1 },
    { name: 'control', at: 3, bytes: 1 },
    { name: 'control', at: 6, bytes: 1 },
  ],
  odd: (random) => random.pick(oddBlocks)(random),
};

function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at]) at += 1 + bytes[at];
  return Math.min(bytes.length, at + 1);
}

const oddBlocks: readonly ((random: Random) => Piece)[] = [
  (random) => {
    const body = Buffer.alloc(10);
    body[0] = 0x2c;
    for (const at of [1, 3, 5, 7]) body.writeUInt16LE(oddInteger(random) & 0xffff, at);
    body[9] = random.integer(0, 255);
    return { name: 'frame', body };
  },
  (random) => ({
    name: 'control',
    body: Buffer.of(0x21, 0xf9, 4, random.integer(0, 255), 0, 0, random.integer(0, 255), 0),
  }),
  (random) => ({
    name: 'data',
    body: Buffer.of(random.integer(0, 14), 2, random.integer(0, 255), random.integer(0, 255), 0),
  }),
  (random) => ({ name: 'end', body: Buffer.of(random.pick([0x3b, 0x2c, 0x21, 0x00])) }),
];

export const gifTarget = pictureTarget('gif', gifFormat);
