import { createRaster, type Mask, type Raster } from '../../image/raster.ts';
import { resize, resizeMask } from '../../image/resize.ts';

/** A picture and its mask, small: what is background grey, what is uncertain yellow, the outline red. */
export function drawMaskTile(image: Raster, mask: Mask, tilePx: number): Raster {
  const scale = tilePx / Math.max(image.width, image.height);
  const [width, height] = [image.width, image.height].map((side) => Math.max(1, Math.round(side * scale)));
  return tint(resize(image, width, height, 'lanczos'), resizeMask(mask, width, height));
}

function tint(image: Raster, { data, ignore, width, height }: Mask): Raster {
  const out = createRaster(width, height);
  for (let i = 0; i < data.length; i++) {
    const [r, g, b] = image.data.subarray(3 * i, 3 * i + 3);
    const grey = 90 + 0.25 * (0.3 * r + 0.59 * g + 0.11 * b);
    const edge = data[i] && [i - 1, i + 1, i - width, i + width].some((j) => j >= 0 && j < data.length && !data[j]);
    const colour = edge
      ? [230, 30, 30]
      : ignore?.[i]
        ? [0.5 * r + 127, 0.5 * g + 105, 0.5 * b]
        : data[i]
          ? [r, g, b]
          : [grey, grey, grey];
    out.data.set(colour, 3 * i);
  }
  return out;
}
