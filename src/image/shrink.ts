import { readRegularFile } from '../formats/regular-file.ts';
import { defaultMaxPixels } from './decode.ts';
import { loadSharp } from './sharp.ts';

/**
 * A picture made small, as quickly as that can be: JPEGs are decoded at an eighth, a quarter or half of their size. For
 * looking at alone; what models are shown is decoded whole.
 */
export async function shrinkToJpeg(
  file: string,
  { sidePx, maxPixels = defaultMaxPixels }: { sidePx: number; maxPixels?: number },
): Promise<Uint8Array> {
  const bytes = await readRegularFile(file);
  const sharp = await loadSharp();
  return sharp(bytes, { limitInputPixels: maxPixels, ignoreIcc: true })
    .resize(sidePx, sidePx, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .jpeg({ quality: 75 })
    .toBuffer();
}
