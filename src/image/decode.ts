import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { SampleError } from '../contracts/errors.ts';
import { createRaster, type Raster, type Rgb } from './raster.ts';

export interface DecodeOptions {
  mode?: 'corrected' | 'pillow';
  flatten?: Rgb;
  maxPixels?: number;
}

export async function decodeImage(
  input: string | Uint8Array,
  { mode = 'corrected', flatten = [255, 255, 255], maxPixels = 1e8 }: DecodeOptions = {},
): Promise<Raster> {
  const file = typeof input === 'string' ? input : 'image';
  let bytes: Uint8Array;
  try {
    bytes = typeof input === 'string' ? await readFile(input) : input;
  } catch (cause) {
    throw new SampleError('missing-file', `${file} does not exist`, { file, cause });
  }
  if (bytes.length === 0) throw new SampleError('empty-file', `${file} is empty (0 bytes)`, { file });
  try {
    let picture = sharp(bytes, { failOn: 'truncated', limitInputPixels: maxPixels });
    if (mode === 'corrected') {
      picture = picture.rotate().flatten({ background: { r: flatten[0], g: flatten[1], b: flatten[2] } });
    } else picture = picture.removeAlpha();
    const { data, info } = await picture.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
    if (info.channels === 3)
      return createRaster(info.width, info.height, new Uint8Array(data.buffer, data.byteOffset, data.length));
    const out = createRaster(info.width, info.height);
    for (let i = 0; i < info.width * info.height; i++) out.data.fill(data[i * info.channels], i * 3, i * 3 + 3);
    return out;
  } catch (cause) {
    const text = String(cause);
    if (/pixel limit/.test(text))
      throw new SampleError('too-large', `${file} has more than ${maxPixels} pixels`, { file, cause });
    if (/unsupported image format/.test(text))
      throw new SampleError('not-an-image', `${file} is not an image`, { file, cause });
    throw new SampleError('truncated', `${file} cannot be read`, { file, cause });
  }
}
