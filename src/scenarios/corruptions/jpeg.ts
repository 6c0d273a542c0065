import { besideOthers } from '../../image/decoder-turns.ts';
import { createRaster, type Raster } from '../../image/raster.ts';
import { loadSharp } from '../../image/sharp.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';

/** Quality of the encoder, as in libjpeg and Pillow. */
export const jpegQualities: Severities<number> = [25, 18, 15, 10, 7];

/** Encoded and decoded again; tables, 4:2:0 chroma and integer DCT are those of Pillow's `save(quality=…)`. */
export async function recompress({ width, height, data }: Raster, quality: number): Promise<Raster> {
  const sharp = await loadSharp();
  const picture = sharp(data, { raw: { width, height, channels: 3 } }).jpeg({ quality, chromaSubsampling: '4:2:0' });
  const pixels = await besideOthers(async () =>
    sharp(await picture.toBuffer())
      .raw()
      .toBuffer(),
  );
  return createRaster(width, height, new Uint8Array(pixels));
}

export const jpeg = defineCorruption({
  id: 'jpeg',
  title: 'JPEG compression',
  description: 'Encoded as JPEG with low quality and decoded again (ImageNet-C).',
  severities: jpegQualities,
  corrupt: recompress,
});
