import { crc32, deflateSync, inflateSync } from 'node:zlib';
import type { Random } from '../../../src/contracts/random.ts';
import { bomb, oddExif, oddIcc } from '../blocks.ts';
import { pictureTarget } from '../pictures.ts';
import { oddInteger, type Piece, type PieceFormat } from '../pieces.ts';

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Chunks: length, name, body, CRC (ISO/IEC 15948, 5.3). The pixels are unpacked, so that they are hurt before packing. */
export const pngFormat: PieceFormat = {
  split(bytes) {
    const pieces: Piece[] = [];
    for (let at = 8; at + 12 <= bytes.length; ) {
      const length = bytes.readUInt32BE(at);
      const body = bytes.subarray(at + 8, at + 8 + length);
      pieces.push({ name: bytes.toString('latin1', at + 4, at + 8), body });
      at += 12 + length;
    }
    return pieces.map((piece) =>
      piece.name === 'IDAT' ? { ...piece, name: 'pixels', body: unpacked(piece.body) } : piece,
    );
  },
  join: (pieces) => Buffer.concat([signature, ...pieces.map(chunk)]),
  fields: [
    { name: 'IHDR', at: 0, bytes: 4 },
    { name: 'IHDR', at: 4, bytes: 4 },
    ...[8, 9, 10, 11, 12].map((at) => ({ name: 'IHDR', at, bytes: 1 as const })),
    { name: 'pixels', at: 0, bytes: 1 },
    { name: 'acTL', at: 0, bytes: 4 },
    { name: 'fcTL', at: 4, bytes: 4 },
    { name: 'fcTL', at: 8, bytes: 4 },
  ],
  odd: (random) => random.pick(oddChunks)(random),
};

function unpacked(body: Buffer): Buffer {
  try {
    return inflateSync(body);
  } catch {
    return body;
  }
}

function chunk({ name, body, claims, unchecked }: Piece): Buffer {
  const content = name === 'pixels' ? deflateSync(body, { level: 1 }) : body;
  const named = Buffer.concat([Buffer.from(name === 'pixels' ? 'IDAT' : name, 'latin1'), content]);
  const out = Buffer.alloc(8 + named.length);
  out.writeUInt32BE((claims ?? content.length) >>> 0, 0);
  named.copy(out, 4);
  out.writeUInt32BE(unchecked ? 0 : checkSum(named), 4 + named.length);
  return out;
}

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});
/** `zlib.crc32` is newer than the oldest Node we run on. */
const checkSum: (bytes: Buffer) => number =
  typeof crc32 === 'function'
    ? (bytes) => crc32(bytes)
    : (bytes) => {
        let c = 0xffffffff;
        for (const byte of bytes) c = table[(c ^ byte) & 255] ^ (c >>> 8);
        return (c ^ 0xffffffff) >>> 0;
      };

const named = (name: string, body: Buffer): Piece => ({ name, body });
const zero = Buffer.of(0);
const oddChunks: readonly ((random: Random) => Piece)[] = [
  (random) => named('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(oddIcc(random))])),
  (random) => named('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), bomb(random)])),
  (random) => named('zTXt', Buffer.concat([Buffer.from('t\0\0', 'latin1'), bomb(random)])),
  (random) => named('eXIf', oddExif(random)),
  (random) => named('PLTE', Buffer.alloc(random.integer(0, 800), random.integer(0, 255))),
  (random) => named('tRNS', Buffer.alloc(random.integer(0, 300), random.integer(0, 255))),
  (random) => named('pHYs', Buffer.from([oddInteger(random) & 255, 0, 0, 0, 0, 0, 0, 0, 1])),
  (random) => named('pixels', Buffer.alloc(random.integer(0, 2000))),
  (random) =>
    named(random.pick(['IEND', 'IHDR', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'bKGD', 'hIST', 'IDAT', 'XXXX']), zero),
];

export const pngTarget = pictureTarget('png', pngFormat);
