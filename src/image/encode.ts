import { besideOthers } from './decoder-turns.ts';
import type { Mask, Raster } from './raster.ts';
import { loadSharp } from './sharp.ts';

export interface EncodeOptions {
  format: 'jpeg' | 'png' | 'webp';
  /** JPEG and WebP; 1–100. */
  quality?: number;
  /** JPEG. Full colour by default, since halving it would smear the edge of every edit. */
  chromaSubsampling?: '4:4:4' | '4:2:0';
  /** One byte a pixel, 255 opaque. JPEG has none: there the picture is written as it is. */
  alpha?: Uint8Array;
}

/** The same bytes for the same pixels, whatever the number of threads. */
export async function encodeImage(
  image: Raster,
  { format, quality = 90, chromaSubsampling = '4:4:4', alpha }: EncodeOptions,
): Promise<Uint8Array> {
  const { width, height } = image;
  const four = alpha && format !== 'jpeg' ? withAlpha(image.data, alpha) : undefined;
  const sharp = await loadSharp();
  const picture = sharp(four ?? image.data, { raw: { width, height, channels: four ? 4 : 3 } });
  // `exact`: colours under transparent pixels stay.
  if (format === 'webp') picture.webp({ quality, exact: true });
  else if (format === 'jpeg') picture.jpeg({ quality, chromaSubsampling });
  else picture.png({ compressionLevel: 6 });
  return besideOthers(() => picture.toBuffer());
}

/** An 8-bit greyscale PNG, 255 on the object. */
export async function encodeMask({ width, height, data }: Mask): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const picture = sharp(data, { raw: { width, height, channels: 1 } }).toColourspace('b-w');
  return besideOthers(() => picture.png({ compressionLevel: 6 }).toBuffer());
}

function withAlpha(rgb: Uint8Array, alpha: Uint8Array): Uint8Array {
  const out = new Uint8Array(alpha.length * 4);
  for (let i = 0, from = 0, to = 0; i < alpha.length; i++, from += 3, to += 4) {
    out[to] = rgb[from];
    out[to + 1] = rgb[from + 1];
    out[to + 2] = rgb[from + 2];
    out[to + 3] = alpha[i];
  }
  return out;
}
