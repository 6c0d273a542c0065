import type { MaskSource } from '../../contracts/sample.ts';
import { checkSize } from './draw.ts';
import { decodePng } from './png.ts';
import { encodeRleString } from './rle.ts';

/**
 * A small PNG placed in a picture, as LabelMe keeps masks: run lengths made from its own pixels alone, so that the size
 * the picture is said to have costs nothing. Throws a plain Error.
 */
export function placedBitmap(
  bytes: Uint8Array,
  [left, top]: readonly [number, number],
  width: number,
  height: number,
): MaskSource {
  checkSize(width, height);
  // A part of the picture, up to rounding.
  const png = decodePng(bytes, { maxPixels: (width + 2) * (height + 2) });
  const [x0, y0] = [Math.trunc(left), Math.trunc(top)];
  const runs: number[] = [];
  let position = 0;
  let start = -1;
  /** Ends the object's run at a place counted down the columns. */
  const close = (end: number) => {
    if (start < 0) return;
    runs.push(start - position, end - start);
    position = end;
    start = -1;
  };
  for (let x = Math.max(0, -x0); x < Math.min(png.width, width - x0); x++) {
    const column = (x0 + x) * height;
    for (let y = Math.max(0, -y0); y < Math.min(png.height, height - y0); y++) {
      const place = column + y0 + y;
      if (!png.data[(y * png.width + x) * png.channels]) close(place);
      else if (start < 0) start = place;
    }
    // The next column's first pixel goes on where this one reached the bottom.
    if (!(y0 + png.height >= height && y0 <= 0)) close(column + Math.min(height, y0 + png.height));
  }
  close(Math.min(width, x0 + png.width) * height);
  runs.push(width * height - position);
  return { kind: 'rle', counts: encodeRleString(runs), width, height };
}
