import { createRaster, type Mask, type Raster } from './raster.ts';

/** Object pixels where the mask is set, background pixels elsewhere; a clean paste without feathering. */
export function compose(object: Raster, background: Raster, mask: Mask): Raster {
  const out = createRaster(object.width, object.height, background.data.slice());
  for (let i = 0, j = 0; i < mask.data.length; i++, j += 3) {
    if (mask.data[i] === 0) continue;
    out.data[j] = object.data[j];
    out.data[j + 1] = object.data[j + 1];
    out.data[j + 2] = object.data[j + 2];
  }
  return out;
}

/** Object and background swapped; unknown pixels stay unknown. */
export function invertMask(mask: Mask): Mask {
  const data = new Uint8Array(mask.data.length);
  for (let i = 0; i < data.length; i++) data[i] = mask.data[i] ^ 255;
  return { ...mask, data };
}
