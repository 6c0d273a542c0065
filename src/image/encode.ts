import sharp from 'sharp';
import type { Mask, Raster } from './raster.ts';

export interface EncodeOptions {
  format: 'jpeg' | 'png' | 'webp';
  /** JPEG and WebP; 1–100. */
  quality?: number;
  /** One byte a pixel, 255 opaque; PNG and WebP alone. */
  alpha?: Uint8Array;
}

/** The same bytes for the same pixels, on any number of threads. JPEG without chroma subsampling: edits must survive it. */
export async function encodeImage(image: Raster, { format, quality = 90, alpha }: EncodeOptions): Promise<Uint8Array> {
  const { width, height } = image;
  const data = alpha && format !== 'jpeg' ? withAlpha(image.data, alpha) : image.data;
  const picture = sharp(data, { raw: { width, height, channels: data === image.data ? 3 : 4 } });
  if (format === 'jpeg') return picture.jpeg({ quality, chromaSubsampling: '4:4:4' }).toBuffer();
  if (format === 'webp') return picture.webp({ quality }).toBuffer();
  return picture.png({ compressionLevel: 6 }).toBuffer();
}

/** An 8-bit greyscale PNG, 255 on the object. */
export async function encodeMask(mask: Mask): Promise<Uint8Array> {
  const { width, height } = mask;
  return sharp(mask.data, { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .png({ compressionLevel: 6 })
    .toBuffer();
}

function withAlpha(rgb: Uint8Array, alpha: Uint8Array): Uint8Array {
  const out = new Uint8Array(alpha.length * 4);
  for (let i = 0; i < alpha.length; i++) {
    out[i * 4] = rgb[i * 3];
    out[i * 4 + 1] = rgb[i * 3 + 1];
    out[i * 4 + 2] = rgb[i * 3 + 2];
    out[i * 4 + 3] = alpha[i];
  }
  return out;
}
