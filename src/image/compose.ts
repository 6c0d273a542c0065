import { begin, get, put } from './kernels/arena.ts';
import { putRegion } from './kernels/region.ts';
import { createRaster, type Mask, type Raster, type Rgb, sameSize } from './raster.ts';
import type { Region } from './region.ts';

/** Object pixels where the mask is set, background pixels elsewhere; a clean paste without feathering. */
export function compose(object: Raster, background: Raster, mask: Mask): Raster {
  return replaceRegion(background, object, { mask, side: 'object' });
}

/** `image` with the region's pixels taken from `other`. */
export function replaceRegion(image: Raster, other: Raster, region: Region): Raster {
  const { width, height, data } = image;
  sameSize(image, other);
  const { blend } = begin();
  const target = put(data);
  const source = put(other.data);
  const [mask, invert] = putRegion(region, width * height);
  blend(target, source, mask, invert, width * height);
  return createRaster(width, height, get(target, data.length));
}

/** The region painted in one colour. */
export function fillRegion(image: Raster, region: Region, colour: Rgb): Raster {
  const { width, height, data } = image;
  const { lookUp } = begin();
  const at = put(data);
  const [mask, invert] = putRegion(region, width * height);
  const tables = new Uint8Array(768);
  for (let c = 0; c < 3; c++) tables.fill(colour[c], c * 256, (c + 1) * 256);
  lookUp(at, mask, invert, width * height, put(tables));
  return createRaster(width, height, get(at, data.length));
}

/** Object and background swapped; unknown pixels stay unknown. */
export function invertMask(mask: Mask): Mask {
  const data = new Uint8Array(mask.data);
  const words = new Uint32Array(data.buffer, 0, data.length >> 2);
  for (let i = 0; i < words.length; i++) words[i] = ~words[i];
  for (let i = words.length * 4; i < data.length; i++) data[i] ^= 255;
  return { ...mask, data };
}
