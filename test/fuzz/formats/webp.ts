import type { Random } from '../../../src/contracts/random.ts';
import { oddExif, oddIcc } from '../blocks.ts';
import { pictureTarget } from '../pictures.ts';
import { oddInteger, type Piece, type PieceFormat } from '../pieces.ts';

/** RIFF: a name, a length (little-endian), a body padded to even length; the outermost length is the file's. */
const webpFormat: PieceFormat = {
  split(bytes) {
    const pieces: Piece[] = [{ name: 'RIFF', body: Buffer.alloc(0) }];
    for (let at = 12; at + 8 <= bytes.length; ) {
      const length = bytes.readUInt32LE(at + 4);
      pieces.push({ name: bytes.toString('latin1', at, at + 4), body: bytes.subarray(at + 8, at + 8 + length) });
      at += 8 + length + (length & 1);
    }
    return pieces;
  },
  join(pieces) {
    const content = Buffer.concat(pieces.filter(({ name }) => name !== 'RIFF').map(chunk));
    const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
    const claims = pieces.find(({ name }) => name === 'RIFF')?.claims;
    head.writeUInt32LE((claims ?? content.length + 4) >>> 0, 4);
    return Buffer.concat([head, content]);
  },
  fields: [
    { name: 'VP8X', at: 0, bytes: 1 },
    { name: 'VP8X', at: 4, bytes: 2, little: true },
    { name: 'VP8X', at: 7, bytes: 2, little: true },
    { name: 'VP8 ', at: 0, bytes: 2, little: true },
    { name: 'VP8 ', at: 6, bytes: 2, little: true },
    { name: 'VP8 ', at: 8, bytes: 2, little: true },
    ...[1, 2, 3, 4, 5].map((at) => ({ name: 'VP8L', at, bytes: 1 as const })),
    { name: 'ALPH', at: 0, bytes: 1 },
    ...[0, 3, 6, 9, 12].map((at) => ({ name: 'ANMF', at, bytes: 2 as const, little: true })),
    { name: 'ANMF', at: 20, bytes: 4, little: true },
    { name: 'ANIM', at: 4, bytes: 2, little: true },
  ],
  odd: (random) => random.pick(oddChunks)(random),
};

function chunk({ name, body, claims }: Piece): Buffer {
  const head = Buffer.alloc(8);
  head.write(name.padEnd(4).slice(0, 4), 0, 'latin1');
  head.writeUInt32LE((claims ?? body.length) >>> 0, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length & 1)]);
}

const oddChunks: readonly ((random: Random) => Piece)[] = [
  (random) => ({ name: 'ICCP', body: oddIcc(random) }),
  (random) => ({ name: 'EXIF', body: oddExif(random) }),
  (random) => {
    const body = Buffer.alloc(10);
    body[0] = random.integer(0, 255);
    body.writeUIntLE(oddInteger(random) & 0xffffff, 4, 3);
    body.writeUIntLE(oddInteger(random) & 0xffffff, 7, 3);
    return { name: 'VP8X', body };
  },
  (random) => ({
    name: random.pick(['ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L', 'XMP ', '\0\0\0\0']),
    body: Buffer.alloc(random.integer(0, 40)),
  }),
];

export const webpTarget = pictureTarget('webp', webpFormat);
