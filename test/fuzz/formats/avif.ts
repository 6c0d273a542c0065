import type { Random } from '../../../src/contracts/random.ts';
import { oddExif, oddIcc } from '../blocks.ts';
import { pictureTarget } from '../pictures.ts';
import { oddInteger, type Piece, type PieceFormat } from '../pieces.ts';

/** Boxes that hold boxes, and how many bytes stand before the first of them (ISO/IEC 14496-12, 23008-12). */
const holds: Record<string, number> = { meta: 4, iprp: 0, ipco: 0, iinf: 6, iref: 4 };

/** The boxes as a flat list with their depth in the name (`3/ispe`). Where others grew, `iloc` follows its data. */
const avifFormat: PieceFormat = {
  split(bytes) {
    const at = Buffer.alloc(4);
    at.writeUInt32BE(bytes.indexOf('mdat'));
    return [...boxes(bytes, 0), { name: 'data was at', body: at }];
  },
  join(pieces) {
    const was = pieces.find(({ name }) => name === 'data was at')?.body;
    const kept = pieces.filter(({ name }) => name !== 'data was at');
    const first = nested(kept);
    if (was?.length !== 4) return first;
    const moved = first.indexOf('mdat') - was.readUInt32BE();
    return moved ? nested(kept.map((piece) => (piece.name === '1/iloc' ? follow(piece, moved) : piece))) : first;
  },
  fields: [
    { name: '3/ispe', at: 4, bytes: 4 },
    { name: '3/ispe', at: 8, bytes: 4 },
    ...[1, 2, 3].map((at) => ({ name: '3/av1C', at, bytes: 1 as const })),
    { name: '3/pixi', at: 4, bytes: 1 },
    { name: '3/pixi', at: 5, bytes: 1 },
    { name: '3/irot', at: 0, bytes: 1 },
    ...[4, 6, 8, 10, 12, 14, 16, 18, 20].map((at) => ({ name: '1/iloc', at, bytes: 2 as const })),
    { name: '1/iloc', at: 14, bytes: 4 },
    { name: '1/iloc', at: 18, bytes: 4 },
    { name: '1/pitm', at: 4, bytes: 2 },
    { name: '2/ipma', at: 4, bytes: 4 },
    { name: '2/ipma', at: 10, bytes: 1 },
    { name: '0/ftyp', at: 0, bytes: 4 },
    { name: '0/mdat', at: 0, bytes: 4 },
    { name: '0/mdat', at: 8, bytes: 4 },
  ],
  odd: (random) => random.pick(oddBoxes)(random),
};

function nested(pieces: readonly Piece[]): Buffer {
  const stack: { depth: number; name: string; parts: Buffer[]; claims?: number }[] = [];
  const out: Buffer[] = [];
  const close = (depth: number) => {
    while (stack.length && stack[stack.length - 1].depth >= depth) {
      const { name, parts, claims } = stack.pop()!;
      (stack.at(-1)?.parts ?? out).push(box(name, Buffer.concat(parts), claims));
    }
  };
  for (const { name, body, claims } of pieces) {
    const [depth, type] = name.split('/');
    close(Number(depth));
    if (type in holds) stack.push({ depth: Number(depth), name: type, parts: [body], claims });
    else (stack.at(-1)?.parts ?? out).push(box(type, body, claims));
  }
  close(0);
  return Buffer.concat(out);
}

/** Version 0, offsets and lengths of four bytes, one extent each: as libheif writes it. */
function follow(iloc: Piece, moved: number): Piece {
  const body = Buffer.from(iloc.body);
  for (let at = 8 + 6; at + 8 <= body.length; at += 14) body.writeUInt32BE((body.readUInt32BE(at) + moved) >>> 0, at);
  return { ...iloc, body };
}

function boxes(bytes: Buffer, depth: number): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = Math.max(8, Math.min(bytes.length - at, bytes.readUInt32BE(at)));
    const type = bytes.toString('latin1', at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + length);
    const before = holds[type];
    pieces.push({ name: `${depth}/${type}`, body: before === undefined ? body : body.subarray(0, before) });
    if (before !== undefined) pieces.push(...boxes(body.subarray(before), depth + 1));
    at += length;
  }
  return pieces;
}

function box(type: string, body: Buffer, claims?: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE((claims ?? body.length + 8) >>> 0, 0);
  head.write(type.slice(0, 4).padEnd(4), 4, 'latin1');
  return Buffer.concat([head, body]);
}

const oddBoxes: readonly ((random: Random) => Piece)[] = [
  (random) => ({ name: '3/colr', body: Buffer.concat([Buffer.from('prof'), oddIcc(random)]) }),
  (random) => {
    const body = Buffer.alloc(12);
    body.writeUInt32BE(oddInteger(random) >>> 0, 4);
    body.writeUInt32BE(oddInteger(random) >>> 0, 8);
    return { name: '3/ispe', body };
  },
  (random) => ({ name: '3/clap', body: Buffer.from(Array.from({ length: 32 }, () => random.integer(0, 255))) }),
  (random) => ({ name: '3/irot', body: Buffer.of(random.integer(0, 255)) }),
  (random) => ({ name: '3/imir', body: Buffer.of(random.integer(0, 255)) }),
  (random) => ({ name: '0/Exif', body: oddExif(random) }),
  (random) => ({
    name: `${random.integer(0, 3)}/${random.pick(['meta', 'ipco', 'iprp', 'iinf', 'free', 'moov', 'idat', 'grpl'])}`,
    body: Buffer.alloc(random.integer(0, 20)),
  }),
];

export const avifTarget = pictureTarget('avif', avifFormat);
