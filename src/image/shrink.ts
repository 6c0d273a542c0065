import { readRegularFile } from '../formats/regular-file.ts';
import { defaultMaxPixels } from './decode.ts';
import { besideOthers } from './decoder-turns.ts';
import { loadSharp } from './sharp.ts';

const grey = 0x99;

/**
 * A picture in a small square, as quickly as that can be: JPEGs are decoded at an eighth, a quarter or half of their size.
 * RGB, grey beside it. For looking at alone; what models are shown is decoded whole.
 */
export async function shrinkToSquare(
  file: string,
  { sidePx, maxPixels = defaultMaxPixels }: { sidePx: number; maxPixels?: number },
): Promise<Uint8Array> {
  const bytes = await readRegularFile(file);
  const sharp = await loadSharp();
  const square = sharp(bytes, { limitInputPixels: maxPixels, ignoreIcc: true })
    .resize(sidePx, sidePx, { fit: 'contain', background: { r: grey, g: grey, b: grey } })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw();
  return besideOthers(() => square.toBuffer());
}

/** Squares on one sheet, row by row, as JPEG; one that is missing stays grey. */
export async function joinSquares(
  squares: readonly (Uint8Array | undefined)[],
  { sidePx, columns }: { sidePx: number; columns: number },
): Promise<Uint8Array> {
  const [width, height] = [columns * sidePx, Math.max(1, Math.ceil(squares.length / columns)) * sidePx];
  const sheet = new Uint8Array(width * height * 3).fill(grey);
  for (const [i, square] of squares.entries()) {
    if (!square) continue;
    const corner = Math.floor(i / columns) * sidePx * width + (i % columns) * sidePx;
    for (let y = 0; y < sidePx; y++)
      sheet.set(square.subarray(3 * y * sidePx, 3 * (y + 1) * sidePx), 3 * (corner + y * width));
  }
  const sharp = await loadSharp();
  const joined = sharp(sheet, { raw: { width, height, channels: 3 } }).jpeg({ quality: 70 });
  return besideOthers(() => joined.toBuffer());
}
