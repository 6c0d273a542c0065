import { SampleError } from '../../contracts/errors.ts';
import { percentOf } from '../../contracts/numbers.ts';
import type { BorderPolicy, MaskEncoding, MaskSource } from '../../contracts/sample.ts';
import { besideOthers } from '../../image/decoder-turns.ts';
import type { DecodeMode } from '../../image/format.ts';
import type { Mask } from '../../image/raster.ts';
import { loadSharp } from '../../image/sharp.ts';
import { background, border as borderClass, classify, object } from './classify.ts';
import { drawMask } from './draw.ts';
import { fits, ownEncoding } from './encoding.ts';
import { fitToImage, type MaskNote, type Plane } from './fit.ts';
import { histogram, lookUp } from './levels.ts';
import { lookAt, type MaskLook } from './look.ts';
import { looksInverted } from './polarity.ts';
import { type RawMask, readRawMask } from './raw.ts';

export interface LoadedMask {
  readonly mask: Mask;
  readonly encoding: MaskEncoding;
  /** What was done or doubted; said to the user by `dataset check`. */
  readonly notes: readonly MaskNote[];
}

export interface MaskImage {
  readonly width: number;
  readonly height: number;
  /** Read again only for its EXIF orientation or its alpha channel. */
  readonly path: string;
}

/** A sample's mask at its image's size: 255 on the object. Throws `SampleError` where there is none that can be used. */
export async function loadMask(
  source: MaskSource,
  image: MaskImage,
  { border = 'ignore', mode = 'pillow' }: { border?: BorderPolicy; mode?: DecodeMode } = {},
): Promise<LoadedMask> {
  const file = source.kind === 'file' ? source.path : image.path;
  const { plane, encoding, notes } = await readPlane(source, image);
  const fitted = await fitToImage(plane, image, file, { mode, drawnFor: drawnFor(source) });
  const { mask, covered } = applyBorder(fitted.plane, border);
  if (covered === 0) throw new SampleError('mask-empty', 'mask is empty: no pixel of it is the object', { file });
  if (covered === mask.data.length)
    throw new SampleError('mask-full', 'mask covers the whole image: there is no background to change', { file });
  const all = [...notes, ...fitted.notes];
  if (looksInverted(mask, covered / mask.data.length))
    all.push({
      kind: 'polarity',
      message: `mask covers ${percentOf(covered / mask.data.length, 0)} of the image, all four corners and not the middle: is it inverted?`,
    });
  return { mask, encoding, notes: all };
}

/**
 * LabelMe's shapes are drawn on the upright picture, as it displays it; an alpha channel is turned as the file stores
 * it.
 */
export function drawnFor(source: MaskSource): 'stored' | 'displayed' | undefined {
  if (source.kind === 'alpha') return 'stored';
  return source.kind === 'polygons' && source.rule === 'labelme' ? 'displayed' : undefined;
}

/** Annotations may be for a larger copy of the picture, within reason: they are drawn at the size they name. */
const mostTimesLarger = 64;
const smallPx = 250_000;

type Classified = { plane: Plane; encoding: MaskEncoding; notes: MaskNote[] };

async function readPlane(source: MaskSource, image: MaskImage): Promise<Classified> {
  switch (source.kind) {
    case 'file':
      return readFilePlane(source);
    case 'alpha':
      return { plane: await readAlpha(image), encoding: 'alpha', notes: [] };
    case 'polygons':
    case 'rle': {
      const { width, height } = source;
      if (width * height > mostTimesLarger * Math.max(image.width * image.height, smallPx))
        throw new SampleError(
          'mask-size',
          `mask is said to be for a picture of ${width} × ${height}, this one is ${image.width} × ${image.height}`,
          { file: image.path },
        );
      try {
        return { plane: { width, height, data: toClasses(drawMask(source)) }, encoding: source.kind, notes: [] };
      } catch (cause) {
        throw new SampleError('mask-unreadable', `mask cannot be read: ${(cause as Error).message}`, {
          file: image.path,
          cause,
        });
      }
    }
  }
}

async function readFilePlane(source: Extract<MaskSource, { kind: 'file' }>): Promise<Classified> {
  const raw = await readRawMask(source.path);
  const { width, height } = raw;
  const notes: MaskNote[] = [];
  const look = lookAt(raw);
  let { encoding } = source;
  if (source.insist && encoding && !fits(encoding, look) && !(encoding === '0/255' && look.kind === 'grey'))
    throw new SampleError(
      'mask-unreadable',
      `mask ${source.path} is not ${encoding}, as the layout has its masks; it looks like ${ownEncoding(look) ?? 'no mask'}`,
      { file: source.path },
    );
  if (!encoding || (!source.insist && !fits(encoding, look))) {
    const own = ownEncoding(look);
    if (!own)
      throw new SampleError(
        'mask-unreadable',
        `mask ${source.path} does not look like a mask: it has too many values`,
        {
          file: source.path,
        },
      );
    if (encoding) notes.push({ kind: 'encoding', message: `mask is ${own}, the others are ${encoding}` });
    encoding = own;
  }
  if (encoding === '0/255' && look.soft)
    notes.push({
      kind: 'values',
      message: `mask has greys between black and white, split at ${source.threshold ?? 128}`,
    });
  const data = classify(raw, look, encoding, source);
  const soft = softLevels(raw, look, encoding, source);
  return { plane: { width, height, data, ...(soft && { soft }) }, encoding, notes };
}

/**
 * How much of each pixel is object, for masks with grey levels between black and white. Undefined where the user set
 * another threshold than the middle, since the levels would contradict it.
 */
function softLevels(
  raw: RawMask,
  { soft, clearShare }: MaskLook,
  encoding: MaskEncoding,
  { threshold = 128 }: { threshold?: number },
): Uint8Array | undefined {
  if (encoding === 'alpha') return between(raw.alpha ?? raw.values);
  const seam = encoding === '0/255' && soft && clearShare >= 0.75 && threshold === 128;
  return seam && !raw.alpha ? between(raw.values) : undefined;
}

function between(values: ArrayLike<number>): Uint8Array | undefined {
  if (!(values instanceof Uint8Array)) return undefined;
  return values.some((value) => value > 0 && value < 255) ? values : undefined;
}

function toClasses(plane: Uint8Array): Uint8Array {
  for (let i = 0; i < plane.length; i++) plane[i] = plane[i] ? object : background;
  return plane;
}

async function readAlpha(image: MaskImage): Promise<Plane> {
  try {
    const sharp = await loadSharp();
    const alpha = sharp(image.path, { limitInputPixels: 1e8 }).ensureAlpha().extractChannel('alpha').raw();
    const { data, info } = await besideOthers(() => alpha.toBuffer({ resolveWithObject: true }));
    const classes = Uint8Array.from(data, (value) => (value >= 128 ? object : background));
    const soft = between(new Uint8Array(data));
    return { width: info.width, height: info.height, data: classes, ...(soft && { soft }) };
  } catch (cause) {
    throw new SampleError('mask-unreadable', 'the alpha channel cannot be read', { file: image.path, cause });
  }
}

function applyBorder({ width, height, data, soft }: Plane, policy: BorderPolicy): { mask: Mask; covered: number } {
  const counts = histogram(data);
  const uncertain = counts[borderClass];
  const isObject = policy !== 'background';
  const out = levelled(data, { [object]: 255, [borderClass]: isObject ? 255 : 0 });
  const covered = counts[object] + (isObject ? uncertain : 0);
  const levels = soft && { soft };
  if (policy !== 'ignore' || !uncertain) return { mask: { width, height, data: out, ...levels }, covered };
  return { mask: { width, height, data: out, ignore: levelled(data, { [borderClass]: 255 }) }, covered };
}

/** Every class as a level, 0 where none is named. */
function levelled(classes: Uint8Array, levels: Readonly<Record<number, number>>): Uint8Array {
  const table = Uint8Array.from({ length: 256 }, (_, value) => levels[value] ?? 0);
  const out = new Uint8Array(classes.length);
  lookUp(classes, table, out);
  return out;
}
