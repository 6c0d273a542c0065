import { createRaster, type Raster } from '../../../image/raster.ts';

/** 0…255 as 0…1, the scale in which ImageNet-C computes. */
export const levelAsShare = Float64Array.from({ length: 256 }, (_, level) => level / 255);

/**
 * 0…1 to a level, clipped. Truncated, not rounded: ImageNet-C's images were written through `np.uint8`, so a value of
 * 127.9 became 127, and models are compared on those.
 */
export const toLevel = (value: number) => (value >= 1 ? 255 : value > 0 ? (value * 255) | 0 : 0);

/** Every channel value through a table per channel. */
export function mapLevels(image: Raster, tables: readonly [Uint8Array, Uint8Array, Uint8Array]): Raster {
  const { width, height, data } = image;
  const out = createRaster(width, height);
  const [red, green, blue] = tables;
  for (let i = 0; i < data.length; i += 3) {
    out.data[i] = red[data[i]];
    out.data[i + 1] = green[data[i + 1]];
    out.data[i + 2] = blue[data[i + 2]];
  }
  return out;
}
