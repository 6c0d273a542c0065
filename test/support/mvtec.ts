import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import type { Random } from '../../src/contracts/random.ts';
import { randomFor } from '../../src/stats/random.ts';

export const madeDefects = ['hole', 'scratch', 'stain'] as const;
type Defect = (typeof madeDefects)[number] | 'good';

export interface MadeMvtecOptions {
  readonly products?: readonly ('washer' | 'plate')[];
  readonly sizePx?: number;
  /** Good parts to train on, and of each kind in `test`. */
  readonly train?: number;
  readonly test?: number;
  /** Where the parts are, as `--masks` wants them; beside the products. */
  readonly parts?: boolean;
}

/**
 * Drawn parts in MVTec AD's layout: washers and plates of brushed metal on varied ground, some with a hole, a scratch or a
 * stain whose pixels the ground truth marks. Seeded, so always the same; nothing of the real data is in it.
 */
export async function makeMvtec(
  folder: string,
  { products = ['washer'], sizePx = 96, train = 12, test = 6, parts = false }: MadeMvtecOptions = {},
): Promise<{ folder: string; images: number }> {
  let images = 0;
  for (const product of products) {
    const write = async (split: string, kind: Defect, i: number) => {
      const name = String(i).padStart(3, '0');
      const { pixels, part, defect } = drawPart(
        product,
        kind,
        sizePx,
        randomFor('made mvtec', product, split, kind, i),
      );
      const path = `${product}/${split}/${kind}/${name}.png`;
      await put(join(folder, path), await encode(pixels, sizePx, 3));
      if (kind !== 'good')
        await put(join(folder, `${product}/ground_truth/${kind}/${name}_mask.png`), await encode(defect, sizePx, 1));
      if (parts) await put(join(folder, '..', 'parts', path), await encode(part, sizePx, 1));
      images++;
    };
    for (let i = 0; i < train; i++) await write('train', 'good', i);
    for (const kind of ['good', ...madeDefects] as const) for (let i = 0; i < test; i++) await write('test', kind, i);
  }
  return { folder, images };
}

function drawPart(product: 'washer' | 'plate', kind: Defect, size: number, random: Random) {
  const pixels = new Uint8Array(size * size * 3);
  const [part, defect] = [new Uint8Array(size * size), new Uint8Array(size * size)];
  const centre = { x: size * (0.47 + 0.06 * random.uniform()), y: size * (0.47 + 0.06 * random.uniform()) };
  const radius = size * (0.34 + 0.04 * random.uniform());
  const inner = radius * 0.42;
  const turn = random.uniform() * Math.PI;
  const ground = [random.integer(30, 110), random.integer(30, 110), random.integer(30, 110)];
  const weave = 2 + 5 * random.uniform();
  const metal = 165 + 35 * random.uniform();
  const isInside = defectShape(kind, { centre, radius, inner, product, size, random });
  for (let y = 0, i = 0; y < size; y++) {
    for (let x = 0; x < size; x++, i++) {
      const [dx, dy] = [x - centre.x, y - centre.y];
      const [u, v] = [dx * Math.cos(turn) + dy * Math.sin(turn), dy * Math.cos(turn) - dx * Math.sin(turn)];
      const distance = Math.hypot(dx, dy);
      const onPart =
        product === 'washer'
          ? distance < radius && distance > inner
          : Math.max(Math.abs(u), Math.abs(v) * 1.4) < radius * 0.92;
      const broken = onPart && isInside(x, y);
      if (onPart) part[i] = 255;
      if (broken) defect[i] = 255;
      const brushed = 12 * Math.sin(u * 1.7 + 3 * Math.sin(v * 0.3));
      const noise = 7 * random.normal();
      for (let c = 0; c < 3; c++) {
        const behind = ground[c] + 22 * Math.sin(x / weave + c) * Math.cos(y / weave) + noise;
        const shine = metal - 4 * c + brushed + 0.25 * (dx - dy) + noise;
        const mark = kind === 'hole' ? 18 + noise : kind === 'scratch' ? 245 + noise : 120 - 40 * c + noise;
        pixels[3 * i + c] = Math.max(0, Math.min(255, Math.round(broken ? mark : onPart ? shine : behind)));
      }
    }
  }
  return { pixels, part, defect };
}

interface Placement {
  readonly centre: { readonly x: number; readonly y: number };
  readonly radius: number;
  readonly inner: number;
  readonly product: 'washer' | 'plate';
  readonly size: number;
  readonly random: Random;
}

function defectShape(kind: Defect, { centre, radius, inner, product, size, random }: Placement) {
  const angle = random.uniform() * 2 * Math.PI;
  const reach = product === 'washer' ? (radius + inner) / 2 : radius * 0.4 * random.uniform();
  const at = { x: centre.x + reach * Math.cos(angle), y: centre.y + reach * Math.sin(angle) };
  const extent = size * (kind === 'hole' ? 0.05 + 0.02 * random.uniform() : 0.07 + 0.04 * random.uniform());
  const slope = random.uniform() * Math.PI;
  return (x: number, y: number): boolean => {
    const [dx, dy] = [x - at.x, y - at.y];
    if (kind === 'hole') return Math.hypot(dx, dy) < extent;
    const [along, across] = [dx * Math.cos(slope) + dy * Math.sin(slope), dy * Math.cos(slope) - dx * Math.sin(slope)];
    if (kind === 'scratch') return Math.abs(across) < size / 70 && Math.abs(along) < 2 * extent;
    return (
      kind === 'stain' && Math.hypot(along, 1.6 * across) < extent * (1 + 0.2 * Math.sin(5 * Math.atan2(across, along)))
    );
  };
}

const encode = (data: Uint8Array, size: number, channels: 1 | 3): Promise<Uint8Array> => {
  const picture = sharp(data, { raw: { width: size, height: size, channels } });
  return (channels === 1 ? picture.toColourspace('b-w') : picture).png().toBuffer();
};

async function put(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}
