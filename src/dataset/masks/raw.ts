import { SampleError } from '../../contracts/errors.ts';
import { withFileInHand } from '../../formats/in-hand.ts';
import { readRegularFile } from '../../formats/regular-file.ts';
import { decodeImage } from '../../image/decode.ts';
import { besideOthers } from '../../image/decoder-turns.ts';
import { damageRefused, formatOf } from '../../image/format.ts';
import { loadSharp } from '../../image/sharp.ts';
import { decodeNpy, isNpy } from './npy.ts';
import { decodePng, isPng, type Png } from './png.ts';

/** A mask file's pixels as stored, before an encoding gives them a meaning. */
export interface RawMask {
  readonly width: number;
  readonly height: number;
  /** `grey`: levels, 8-bit scale where the file allows; `index`: palette numbers; `colour`: 0xRRGGBB. */
  readonly kind: 'grey' | 'index' | 'colour';
  readonly values: Uint8Array | Uint16Array | Uint32Array;
  /** RGB triples of a palette. */
  readonly palette?: Uint8Array;
  readonly alpha?: Uint8Array;
}

const unreadable = (file: string, reason: string, cause?: unknown) =>
  new SampleError('mask-unreadable', `mask ${file} cannot be read: ${reason}`, { file, cause });

/** Reads a mask file exactly: no colour management, no rotation, 16-bit kept, palettes as numbers. */
export async function readRawMask(file: string): Promise<RawMask> {
  let bytes: Uint8Array;
  try {
    bytes = await readRegularFile(file);
  } catch (cause) {
    const { problem, message } = cause as SampleError;
    if (problem === 'missing-file')
      throw new SampleError('mask-missing', `mask ${file} does not exist`, { file, cause });
    throw new SampleError('mask-unreadable', `mask ${message}`, { file, cause });
  }
  if (!bytes.length) throw unreadable(file, 'it is empty (0 bytes)');
  try {
    if (isPng(bytes)) return fromPng(decodePng(bytes));
    if (isNpy(bytes)) return fromNpy(bytes);
  } catch (cause) {
    throw unreadable(file, (cause as Error).message, cause);
  }
  try {
    if (formatOf(bytes) === 'bmp') {
      const { width, height, data } = await decodeImage(bytes, { mode: 'pillow' });
      return fromChannels(width, height, 3, data, false);
    }
    const failOn = damageRefused(formatOf(bytes));
    const sharp = await loadSharp();
    const picture = sharp(bytes, { ignoreIcc: true, limitInputPixels: 1e8, failOn }).toColourspace('srgb');
    const { data, info } = await withFileInHand(file, () =>
      besideOthers(() => picture.raw().toBuffer({ resolveWithObject: true })),
    );
    return fromChannels(info.width, info.height, info.channels, data, info.channels === 2 || info.channels === 4);
  } catch (cause) {
    if (cause instanceof SampleError) throw cause;
    const reason = /unsupported image format/.test(String(cause))
      ? 'it is not an image'
      : /pixel limit/.test(String(cause))
        ? 'it is too large'
        : 'its data are damaged';
    throw unreadable(file, reason, cause);
  }
}

function fromPng(png: Png): RawMask {
  const { width, height, channels, data } = png;
  if (png.colour === 'index') {
    const alpha = png.paletteAlpha && Uint8Array.from(data, (index) => png.paletteAlpha?.[index] ?? 255);
    return greyPalette({ width, height, kind: 'index', values: data, palette: png.palette, ...(alpha && { alpha }) });
  }
  return fromChannels(width, height, channels, data, png.hasAlpha);
}

/** A palette of greys alone (optimisers make them of plain masks) says nothing that the greys do not. */
function greyPalette(mask: RawMask): RawMask {
  const palette = mask.palette ?? new Uint8Array(0);
  const used = new Uint8Array(256);
  for (const index of mask.values) used[index] = 1;
  const grey = new Uint8Array(256);
  for (let i = 0; i < 256; i++) {
    const [r, g, b] = palette.subarray(3 * i, 3 * i + 3);
    if (used[i] && (r === undefined || r !== g || g !== b)) return mask;
    grey[i] = r ?? 0;
  }
  const { width, height, alpha } = mask;
  return {
    width,
    height,
    kind: 'grey',
    values: Uint8Array.from(mask.values, (index) => grey[index]),
    ...(alpha && { alpha }),
  };
}

function fromChannels(
  width: number,
  height: number,
  channels: number,
  data: Uint8Array | Uint16Array,
  hasAlpha: boolean,
): RawMask {
  if (channels === 1 && data instanceof Uint8Array) return { width, height, kind: 'grey', values: data };
  const count = width * height;
  const colours = hasAlpha ? channels - 1 : channels;
  // 16-bit samples that are 8-bit ones spread out (0, 257, …, 65535) are brought back; others are numbers in their own right.
  const spread = data instanceof Uint16Array && data.every((value) => value % 257 === 0);
  const scale = spread ? 257 : 1;
  const wide = data instanceof Uint16Array && !spread;
  const alpha = hasAlpha ? new Uint8Array(count) : undefined;
  if (alpha) {
    const alphaScale = data instanceof Uint16Array ? 257 : 1;
    for (let i = 0; i < count; i++) alpha[i] = Math.round(data[i * channels + colours] / alphaScale);
  }
  let grey = true;
  if (colours >= 3)
    for (let at = 0; grey && at < data.length; at += channels)
      grey = data[at] === data[at + 1] && data[at] === data[at + 2];
  const values: RawMask['values'] = !grey
    ? new Uint32Array(count)
    : wide
      ? new Uint16Array(count)
      : new Uint8Array(count);
  const colourScale = data instanceof Uint16Array ? 257 : 1;
  for (let i = 0, at = 0; i < count; i++, at += channels)
    values[i] = grey
      ? data[at] / scale
      : (Math.round(data[at] / colourScale) << 16) |
        (Math.round(data[at + 1] / colourScale) << 8) |
        Math.round(data[at + 2] / colourScale);
  return { width, height, kind: grey ? 'grey' : 'colour', values, ...(alpha && { alpha }) };
}

function fromNpy(bytes: Uint8Array): RawMask {
  const { shape, data, fortran } = decodeNpy(bytes);
  const [height, width, channels = 1] = shape;
  if (shape.length < 2 || shape.length > 3 || !height || !width) throw new Error(`its shape is (${shape.join(', ')})`);
  const values = new Uint16Array(width * height);
  let largest = 0;
  for (const value of data as Float64Array) largest = Math.max(largest, value);
  // Probabilities between 0 and 1 become levels; ImageNet-9's are exactly 0 or 1 and stay so.
  const fractions = largest <= 1 && (data as Float64Array).some((value) => value > 0 && value < 1);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const value = data[fortran ? x * height + y : (y * width + x) * channels];
      values[y * width + x] = fractions ? Math.round(value * 255) : Math.max(0, value);
    }
  return { width, height, kind: 'grey', values };
}
