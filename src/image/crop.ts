import { createRaster, type Raster, type Rgb } from './raster.ts';

/** A copy of the rectangle; what lies outside the image is black, as with Pillow's `crop`. */
export function crop(image: Raster, x: number, y: number, width: number, height: number): Raster {
  const out = createRaster(width, height);
  const left = Math.max(0, x);
  const right = Math.min(image.width, x + width);
  if (right <= left) return out;
  for (let row = Math.max(0, y); row < Math.min(image.height, y + height); row++) {
    const from = (row * image.width + left) * 3;
    out.data.set(image.data.subarray(from, from + (right - left) * 3), ((row - y) * width + (left - x)) * 3);
  }
  return out;
}

/** Writes one colour over a whole RGB buffer. */
export function fillWith(data: Uint8Array, [red, green, blue]: Rgb): void {
  if (red === green && green === blue) {
    data.fill(red);
    return;
  }
  for (let i = 0; i < data.length; i += 3) {
    data[i] = red;
    data[i + 1] = green;
    data[i + 2] = blue;
  }
}
