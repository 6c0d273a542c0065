import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Random } from '../../../src/contracts/random.ts';
import { type MaskSource, maskSourceSchema } from '../../../src/contracts/sample.ts';
import { loadMask } from '../../../src/dataset/masks/load.ts';
import type { FuzzInput, FuzzTarget } from '../fuzz.ts';
import { disturb, disturbBytes, oddNumber, oddText } from '../grammar.ts';
import { seedsOf } from '../pictures.ts';
import { disturbPieces } from '../pieces.ts';
import { pngFormat } from './png.ts';

const [width, height] = [24, 16];
const seeds = seedsOf('png');
const folder = mkdtempSync(join(tmpdir(), 'sceneshift-fuzz-masks-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const file = (name: string) => join(folder, name);
writeFileSync(file('picture.png'), seeds[0]);

const number = (random: Random) => (random.uniform() < 0.85 ? random.integer(-5, 30) : oddNumber(random));
const polygon = (random: Random) => Array.from({ length: 2 * random.integer(0, 9) }, () => number(random));
const size = (random: Random) =>
  random.uniform() < 0.8 ? { width, height } : { width: whole(random), height: whole(random) };
const whole = (random: Random) => Math.trunc(number(random));

/** One way a mask can be written, each: shapes, run lengths as numbers and as COCO's text, NumPy arrays, pictures. */
const kinds: readonly ((random: Random) => FuzzInput)[] = [
  (random) =>
    sourceOf({
      kind: 'polygons',
      polygons: Array.from({ length: random.integer(0, 3) }, () => polygon(random)),
      circles: Array.from({ length: random.integer(0, 2) }, () => [number(random), number(random), number(random)]),
      rule: random.pick(['coco', 'labelme']),
      ...size(random),
    }),
  (random) =>
    sourceOf({
      kind: 'rle',
      counts: Array.from({ length: random.integer(0, 12) }, () => whole(random)),
      ...size(random),
    }),
  (random) =>
    sourceOf({
      kind: 'rle',
      counts: random.pick([
        oddText(random),
        Buffer.from(disturbBytes(Buffer.from('PPm01O2N1O1N3N000O'), random)).toString('latin1'),
      ]),
      ...size(random),
    }),
  (random) => sourceOf(disturb({ kind: 'polygons', polygons: [polygon(random)], width, height }, random, 0.2)),
  (random) => ({ 'mask.npy': npy(random), ...reading(random) }),
  (random) => ({ 'mask.png': disturbPieces(random.pick(seeds), pngFormat, random, seeds), ...reading(random) }),
  (random) => ({ 'alpha.png': disturbPieces(random.pick(seeds), pngFormat, random, seeds) }),
];

const sourceOf = (source: unknown): FuzzInput => ({ source: JSON.stringify(source) });
const reading = (random: Random): FuzzInput => ({
  source: JSON.stringify({
    kind: 'file',
    path: '',
    ...(random.uniform() < 0.6 && {
      encoding: random.pick([
        '0/1',
        '0/255',
        'palette',
        'red-on-black',
        'alpha',
        'trimap',
        'class-index',
        'imagenet-s',
      ]),
      insist: random.uniform() < 0.5,
      values: [random.integer(0, 3), whole(random)],
    }),
  }),
});

function npy(random: Random): Buffer {
  const odd = random.uniform() < 0.5;
  const shape = odd
    ? random.pick(['(16, 24', '()', '(0, 0)', '(16, 24, 3)', '(99999, 99999)', '(-1, 384)', '(1e9,)'])
    : '(16, 24)';
  const type = random.pick(['|u1', '|b1', '<f4', '<f8', '>i2', '<i8', '<U4', '|O', '<c16']);
  const header = `{'descr': '${type}', 'fortran_order': ${random.pick(['False', 'True', 'Maybe'])}, 'shape': ${shape}, }\n`;
  const length = Buffer.alloc(2);
  length.writeUInt16LE(random.uniform() < 0.9 ? header.length : random.integer(0, 65_535));
  const bytes = Buffer.concat([
    Buffer.from(`\x93NUMPY${random.pick(['\x01', '\x02', '\x09'])}\0`, 'latin1'),
    length,
    Buffer.from(header),
    Buffer.alloc(random.pick([384, 384 * 4, 384 * 8, 10]), random.integer(0, 255)),
  ]);
  return random.uniform() < 0.3 ? Buffer.from(disturbBytes(bytes, random)) : bytes;
}

export const masksTarget: FuzzTarget = {
  name: 'masks',
  mostMegabytes: 700,
  make: (random) => random.pick(kinds)(random),
  async feed(input) {
    const image = { width, height, path: file('picture.png') };
    for (const name of Object.keys(input)) if (name !== 'source') writeFileSync(file(name), input[name]);
    if (input['alpha.png']) return check(await loadMask({ kind: 'alpha' }, { ...image, path: file('alpha.png') }));
    const parsed = maskSourceSchema.safeParse(JSON.parse(String(input.source)));
    if (!parsed.success) return;
    const named = Object.keys(input).find((name) => name !== 'source');
    const source: MaskSource = named ? ({ ...parsed.data, path: file(named) } as MaskSource) : parsed.data;
    check(await loadMask(source, image));
  },
};

function check({ mask }: Awaited<ReturnType<typeof loadMask>>): void {
  if (mask.width !== width || mask.height !== height || mask.data.length !== width * height)
    throw new Error(`a mask of ${mask.width} × ${mask.height} for a picture of ${width} × ${height}`);
}
