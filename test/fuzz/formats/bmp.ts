import { pictureTarget } from '../pictures.ts';
import type { PieceFormat } from '../pieces.ts';

/** The file's head, the picture's head (its length is its first number), then palette and pixels. */
const bmpFormat: PieceFormat = {
  split(bytes) {
    const end = 14 + bytes.readUInt32LE(14);
    return [
      { name: 'file', body: bytes.subarray(0, 14) },
      { name: 'head', body: bytes.subarray(14, end) },
      { name: 'pixels', body: bytes.subarray(end) },
    ];
  },
  join: (pieces) => Buffer.concat(pieces.map(({ body }) => body)),
  fields: [
    { name: 'file', at: 10, bytes: 4, little: true },
    { name: 'head', at: 0, bytes: 4, little: true },
    { name: 'head', at: 4, bytes: 4, little: true },
    { name: 'head', at: 8, bytes: 4, little: true },
    { name: 'head', at: 12, bytes: 2, little: true },
    { name: 'head', at: 14, bytes: 2, little: true },
    { name: 'head', at: 16, bytes: 4, little: true },
    { name: 'head', at: 32, bytes: 4, little: true },
    ...[40, 44, 48, 52].map((at) => ({ name: 'head', at, bytes: 4 as const, little: true })),
  ],
};

export const bmpTarget = pictureTarget('bmp', bmpFormat);
