import { createMask, createRaster, type Mask, type Raster, type Rgb } from './raster.ts';

/** A copy of the rectangle; what lies outside the image is black, as with Pillow's `crop`. */
export function crop(image: Raster, x: number, y: number, width: number, height: number): Raster {
  return createRaster(width, height, cropPlane(image.data, image.width, image.height, 3, x, y, width, height));
}

export function cropMask(mask: Mask, x: number, y: number, width: number, height: number): Mask {
  const cut = (plane: Uint8Array) => cropPlane(plane, mask.width, mask.height, 1, x, y, width, height);
  const data = cut(mask.data);
  return mask.ignore ? { width, height, data, ignore: cut(mask.ignore) } : createMask(width, height, data);
}

/** The image with a border of one colour around it. */
export function pad(
  image: Raster,
  { left = 0, top = 0, right = 0, bottom = 0, fill = [0, 0, 0] as Rgb }: PadOptions,
): Raster {
  const width = image.width + left + right;
  const height = image.height + top + bottom;
  const out = createRaster(width, height);
  fillWith(out.data, fill);
  for (let y = 0; y < image.height; y++) {
    const row = image.data.subarray(y * image.width * 3, (y + 1) * image.width * 3);
    out.data.set(row, ((y + top) * width + left) * 3);
  }
  return out;
}

export interface PadOptions {
  left?: number;
  top?: number;
  right?: number;
  bottom?: number;
  fill?: Rgb;
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

function cropPlane(
  source: Uint8Array,
  sourceWidth: number,
  sourceHeight: number,
  channels: number,
  x: number,
  y: number,
  width: number,
  height: number,
): Uint8Array {
  const out = new Uint8Array(width * height * channels);
  const left = Math.max(0, x);
  const right = Math.min(sourceWidth, x + width);
  if (right <= left) return out;
  for (let row = Math.max(0, y); row < Math.min(sourceHeight, y + height); row++) {
    const from = (row * sourceWidth + left) * channels;
    out.set(source.subarray(from, from + (right - left) * channels), ((row - y) * width + (left - x)) * channels);
  }
  return out;
}
