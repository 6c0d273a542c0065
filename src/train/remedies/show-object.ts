import { gaussianBlur } from '../../image/blur.ts';
import { reflect } from '../../image/border.ts';
import { fillRegion } from '../../image/compose.ts';
import { boundingBox } from '../../image/mask-ops.ts';
import { createRaster, type Mask, type Raster } from '../../image/raster.ts';
import { onBackground } from '../../image/region.ts';

/** Of the square's side, what the object's longer side takes: inside the 224 of 256 that most networks see. */
const objectShare = 0.8;
/** Standard deviation of the blur, of the picture's shorter side: shapes behind the object are gone, its colours stay. */
const blurShare = 0.06;

/**
 * A square around the object, moved into the picture as far as it fits; what still lies outside is mirrored at the edge.
 * Square, because networks cut the middle square out of what they are given. Without an object, the picture as it is.
 */
export function cropToObject(image: Raster, mask: Mask): Raster {
  const box = boundingBox(mask);
  if (box.width === 0) return image;
  const side = Math.max(1, Math.round(Math.max(box.width, box.height) / objectShare));
  const x = place(box.x + box.width / 2, side, image.width);
  const y = place(box.y + box.height / 2, side, image.height);
  const out = createRaster(side, side);
  for (let row = 0; row < side; row++) {
    const from = reflect(y + row, image.height) * image.width;
    for (let column = 0; column < side; column++) {
      const at = (from + reflect(x + column, image.width)) * 3;
      const to = (row * side + column) * 3;
      for (let c = 0; c < 3; c++) out.data[to + c] = image.data[at + c];
    }
  }
  return out;
}

/** Where a stretch of `side` around the centre begins: inside where it fits, else with the frame in its middle. */
function place(centre: number, side: number, size: number): number {
  if (side >= size) return Math.round((size - side) / 2);
  return Math.min(Math.max(0, Math.round(centre - side / 2)), size - side);
}

/** The background painted in its own mean colour. */
export function meanBackground(image: Raster, mask: Mask): Raster {
  const sums = [0, 0, 0];
  let pixels = 0;
  for (let i = 0; i < mask.data.length; i++) {
    if (mask.data[i]) continue;
    pixels++;
    for (let c = 0; c < 3; c++) sums[c] += image.data[3 * i + c];
  }
  if (pixels === 0 || pixels === mask.data.length) return image;
  const [red, green, blue] = sums.map((sum) => Math.round(sum / pixels));
  return fillRegion(image, onBackground(mask), [red, green, blue]);
}

/** The background blurred beyond recognition. */
export function blurredBackground(image: Raster, mask: Mask): Raster {
  if (!mask.data.includes(255)) return image;
  const sigma = Math.max(1, blurShare * Math.min(image.width, image.height));
  return gaussianBlur(image, { sigma, kernel: 2 * Math.ceil(3 * sigma) + 1, region: onBackground(mask) });
}
