import type { Metadata } from 'sharp';
import { SampleError } from '../contracts/errors.ts';
import { withFileInHand } from '../formats/in-hand.ts';
import { readRegularFile } from '../formats/regular-file.ts';
import { bitmapProblem, readBitmap, readBitmapHead } from './bmp.ts';
import { clipLevels, cmykAsPillow, dropAlpha, firstGifFrame, flattenAlpha, gifAsPillow } from './decode-pixels.ts';
import { alone, besideOthers } from './decoder-turns.ts';
import {
  type DecodeDifference,
  type DecodeMode,
  damageRefused,
  decodeDifferences,
  formatOf,
  type ImageFacts,
  type ImageFormat,
  turnsUpright,
} from './format.ts';
import { absurdSize, readHead } from './header.ts';
import { isSrgb } from './icc.ts';
import { createRaster, type Raster, type Rgb } from './raster.ts';
import { loadSharp } from './sharp.ts';

export type { DecodeDifference, DecodeMode, ImageFacts } from './format.ts';

export interface DecodeOptions {
  mode?: DecodeMode;
  /** Colour under transparent pixels; `corrected` alone. */
  flatten?: Rgb;
  /** Larger images are refused before anything is allocated. */
  maxPixels?: number;
}

export const defaultMaxPixels = 100_000_000;

/** An image of any format as 8-bit RGB; throws `SampleError` with one clear line where that cannot be. */
export async function decodeImage(input: string | Uint8Array, options: DecodeOptions = {}): Promise<Raster> {
  return (await decodeDetailed(input, options)).image;
}

/** The image, what its head says, and in which ways the two modes treat it differently. */
export function decodeDetailed(input: string | Uint8Array, options: DecodeOptions = {}): Promise<DetailedImage> {
  return typeof input === 'string' ? withFileInHand(input, () => decode(input, options)) : decode(input, options);
}

export interface DetailedImage {
  readonly image: Raster;
  readonly facts: ImageFacts;
  readonly differences: DecodeDifference[];
}

async function decode(
  input: string | Uint8Array,
  { mode = 'pillow', flatten = [255, 255, 255], maxPixels = defaultMaxPixels }: DecodeOptions,
): Promise<DetailedImage> {
  const source = await open(input, maxPixels);
  const { facts, format } = source;
  const image = await guarded(source, () =>
    format === 'bmp'
      ? bitmap(source, mode, flatten)
      : mode === 'corrected'
        ? corrected(source, flatten)
        : asPillow(source),
  );
  return { image, facts, differences: decodeDifferences(facts) };
}

/** The head alone: size, orientation, colour, profile. */
export async function inspectImage(
  input: string | Uint8Array,
  { maxPixels = defaultMaxPixels } = {},
): Promise<ImageFacts> {
  const read = () => open(input, maxPixels);
  return (await (typeof input === 'string' ? withFileInHand(input, read) : read())).facts;
}

interface ImageBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly format: ImageFormat;
  readonly facts: ImageFacts;
  readonly maxPixels: number;
}

async function open(input: string | Uint8Array, maxPixels: number): Promise<ImageBytes> {
  const name = typeof input === 'string' ? input : 'The image';
  const bytes = typeof input === 'string' ? await readRegularFile(input) : input;
  if (bytes.length === 0) throw new SampleError('empty-file', `${name} is empty (0 bytes)`, { file: name });
  const format = formatOf(bytes);
  if (!format) {
    const message = `${name} is not an image that can be read (JPEG, PNG, WebP, AVIF, TIFF, GIF or BMP)`;
    throw new SampleError('not-an-image', message, { file: name });
  }
  const facts = await guarded({ name }, () => readFacts(bytes, format, name));
  const pixels = facts.width * facts.height;
  if (pixels > maxPixels) {
    const size = `${facts.width} × ${facts.height} = ${(pixels / 1e6).toFixed(0)} million pixels`;
    const limit = `${(maxPixels / 1e6).toFixed(0)} million; raise maxPixels to read it`;
    throw new SampleError('too-large', `${name} is too large: ${size}, the limit is ${limit}`, { file: name });
  }
  return { name, bytes, format, facts, maxPixels };
}

async function readFacts(bytes: Uint8Array, format: ImageFormat, name: string): Promise<ImageFacts> {
  if (format === 'bmp') {
    const head = readBitmapHead(bytes);
    const problem = bitmapProblem(head);
    if (problem) throw new SampleError('not-an-image', `${name} ${problem}`, { file: name });
    const { width, height, masks } = head;
    const plain = { orientation: 1, colour: 'rgb', bits: 8, wideGrey: false, profile: 'none' } as const;
    return { format, width, height, ...plain, alpha: masks[3] !== 0 };
  }
  const head = format === 'jpeg' || format === 'png' ? readHead(bytes, format) : undefined;
  if (head) return head;
  const absurd = format === 'avif' && absurdSize(bytes);
  if (absurd) throw new Error(`it claims to be ${absurd} pixels`);
  const sharp = await loadSharp();
  const facts = fromMetadata(await sharp(bytes, { limitInputPixels: false }).metadata(), format);
  if (format !== 'gif') return facts;
  // What the first frame leaves free is transparent.
  const { left, top, right, bottom } = firstGifFrame(bytes);
  return { ...facts, alpha: facts.alpha || left > 0 || top > 0 || right < facts.width || bottom < facts.height };
}

function fromMetadata(data: Metadata, format: ImageFormat): ImageFacts {
  const { width, height, orientation = 1, space, depth, hasAlpha, icc } = data;
  const colour = space === 'cmyk' ? 'cmyk' : space === 'b-w' || space === 'grey16' ? 'grey' : 'rgb';
  const bits = depth === 'ushort' || depth === 'short' ? 16 : 8;
  const alpha = hasAlpha ?? false;
  return {
    ...{ format, width, height, orientation, colour, bits, alpha },
    wideGrey: colour === 'grey' && bits === 16 && !alpha,
    profile: icc === undefined ? 'none' : isSrgb(icc) ? 'srgb' : 'other',
  };
}

/** Whatever the decoder says of a file whose first bytes are an image's: it is cut off or damaged. */
async function guarded<T>({ name }: { name: string }, work: () => T | Promise<T>): Promise<T> {
  try {
    return await besideOthers(work).catch((cause) => (isOwnReason(cause) ? Promise.reject(cause) : again(work)));
  } catch (cause) {
    if (cause instanceof SampleError) throw cause;
    const reason = cause instanceof RangeError ? 'it ends too early' : firstLine(cause);
    throw new SampleError('truncated', `${name} is cut off or damaged: ${reason}`, { file: name, cause });
  }
}

const isOwnReason = (cause: unknown) => cause instanceof SampleError || cause instanceof RangeError;

/** What fails is tried alone, for its own reason; twice, because the first call also tells what others left in the buffer. */
const again = <T>(work: () => T | Promise<T>): Promise<T> =>
  alone(async () => {
    try {
      return await work();
    } catch {
      return work();
    }
  });

function firstLine(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const line = message.replace(/^Input (file|buffer) has corrupt header:\s*/, '').split('\n')[0];
  // libtiff's own counting before the first line.
  if (/scanline 4294967295/.test(line)) return 'no line of it can be read';
  return line.replace(/^tiff2vips: /, '') || 'its head cannot be read';
}

async function picture({ bytes, format, maxPixels }: ImageBytes, { ignoreIcc }: { ignoreIcc: boolean }) {
  const sharp = await loadSharp();
  return sharp(bytes, { failOn: damageRefused(format), limitInputPixels: maxPixels, ignoreIcc });
}

async function corrected(source: ImageBytes, flatten: Rgb): Promise<Raster> {
  const { facts } = source;
  const upright = facts.orientation > 1;
  const plain = await picture(source, { ignoreIcc: facts.profile === 'srgb' && facts.colour !== 'cmyk' });
  const turned = upright ? plain.autoOrient() : plain;
  const { data, info } = await turned
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return flattenAlpha(data, info, flatten);
}

async function asPillow(source: ImageBytes): Promise<Raster> {
  const { facts, format, bytes } = source;
  const plain = await picture(source, { ignoreIcc: true });
  const stored = facts.orientation > 1 && turnsUpright(facts, 'pillow') ? plain.autoOrient() : plain;
  if (facts.colour === 'cmyk') {
    const inks = stored.pipelineColourspace('cmyk').toColourspace('cmyk').raw({ depth: 'uchar' });
    const { data, info } = await inks.toBuffer({ resolveWithObject: true });
    return cmykAsPillow(data, info);
  }
  if (facts.wideGrey) {
    const levels = stored.toColourspace('grey16').raw({ depth: 'int' });
    const { data, info } = await levels.toBuffer({ resolveWithObject: true });
    return clipLevels(data, info);
  }
  const { data, info } = await stored
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (format === 'gif') return gifAsPillow(data, info, firstGifFrame(bytes));
  return dropAlpha(data, info);
}

function bitmap({ bytes }: ImageBytes, mode: DecodeMode, flatten: Rgb): Raster {
  const { width, height, data, alpha } = readBitmap(bytes, readBitmapHead(bytes));
  if (!alpha || mode === 'pillow') return createRaster(width, height, data);
  const four = new Uint8Array(width * height * 4);
  for (let i = 0; i < alpha.length; i++) {
    four.set(data.subarray(i * 3, i * 3 + 3), i * 4);
    four[i * 4 + 3] = alpha[i];
  }
  return flattenAlpha(four, { width, height, channels: 4 }, flatten);
}
