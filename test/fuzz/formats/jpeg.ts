import type { Random } from '../../../src/contracts/random.ts';
import { oddExif, oddIcc } from '../blocks.ts';
import { pictureTarget } from '../pictures.ts';
import { oddInteger, type Piece, type PieceFormat } from '../pieces.ts';

const standalone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);
const hex = (marker: number) => marker.toString(16).padStart(2, '0');

/** Segments of ITU-T T.81, B.1: a marker, its length, its body; what follows a scan's head is a piece of its own, `scan`. */
const jpegFormat: PieceFormat = {
  split(bytes) {
    const pieces: Piece[] = [];
    for (let at = 0; at + 2 <= bytes.length; ) {
      const marker = bytes[at + 1];
      if (standalone(marker)) {
        pieces.push({ name: hex(marker), body: Buffer.alloc(0) });
        at += 2;
        continue;
      }
      const end = Math.min(bytes.length, at + 2 + bytes.readUInt16BE(at + 2));
      pieces.push({
        name: isFrame(marker) ? 'frame' : hex(marker),
        body: bytes.subarray(at + (isFrame(marker) ? 1 : 4), end),
      });
      at = end;
      if (marker !== 0xda) continue;
      let stop = at;
      while (stop + 1 < bytes.length && !(bytes[stop] === 0xff && bytes[stop + 1] !== 0 && !isRestart(bytes[stop + 1])))
        stop++;
      pieces.push({ name: 'scan', body: bytes.subarray(at, stop) });
      at = stop;
    }
    return pieces;
  },
  join: (pieces) => Buffer.concat(pieces.map(segment)),
  // A frame's body begins with its marker: which of the sixteen kinds it is can be hurt as well.
  fields: [
    { name: 'frame', at: 0, bytes: 1 },
    { name: 'frame', at: 3, bytes: 1 },
    { name: 'frame', at: 4, bytes: 2 },
    { name: 'frame', at: 6, bytes: 2 },
    ...[8, 9, 10, 11, 13, 14, 16].map((at) => ({ name: 'frame', at, bytes: 1 as const })),
    ...[0, 1, 2, 3, 7, 8, 9].map((at) => ({ name: 'da', at, bytes: 1 as const })),
    ...[0, 1, 2].map((at) => ({ name: 'db', at, bytes: 1 as const })),
    ...[0, 1, 2, 3, 8].map((at) => ({ name: 'c4', at, bytes: 1 as const })),
    { name: 'ee', at: 11, bytes: 1 },
    { name: 'e2', at: 12, bytes: 1 },
    { name: 'e2', at: 13, bytes: 1 },
  ],
  odd: (random) => random.pick(oddSegments)(random),
};

const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7;

function segment({ name, body, claims }: Piece): Buffer {
  if (name === 'scan') return body;
  if (name === 'frame') {
    const content = body.subarray(1);
    const out = Buffer.concat([Buffer.of(0xff), body]);
    if (out.length >= 4) out.writeUInt16BE((claims ?? content.length) & 0xffff, 2);
    return out;
  }
  const marker = Number.parseInt(name, 16);
  if (standalone(marker)) return Buffer.of(0xff, marker);
  const head = Buffer.of(0xff, marker, 0, 0);
  head.writeUInt16BE((claims ?? body.length + 2) & 0xffff, 2);
  return Buffer.concat([head, body]);
}

const oddSegments: readonly ((random: Random) => Piece)[] = [
  (random) => ({ name: 'e1', body: Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), oddExif(random)]) }),
  (random) => ({
    name: 'e2',
    body: Buffer.concat([
      Buffer.from('ICC_PROFILE\0', 'latin1'),
      Buffer.of(random.integer(0, 255), random.integer(0, 255)),
      oddIcc(random),
    ]),
  }),
  (random) => ({
    name: 'ee',
    body: Buffer.concat([Buffer.from('Adobe\0d\0\0\0\0', 'latin1'), Buffer.of(random.integer(0, 3))]),
  }),
  (random) => ({ name: 'dd', body: Buffer.of(0, oddInteger(random) & 255) }),
  (random) => ({ name: 'fe', body: Buffer.alloc(random.pick([0, 1, 60_000]), 0xff) }),
  (random) => ({ name: random.pick(['d8', 'd9', 'd0', '01', 'dc', 'f7']), body: Buffer.of(0, 16) }),
];

export const jpegTarget = pictureTarget('jpeg', jpegFormat);
