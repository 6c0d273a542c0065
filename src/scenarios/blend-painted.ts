import { squaredDistance } from '../image/distance.ts';
import { createRaster, type Mask, type Raster, sameSize } from '../image/raster.ts';
import { objectOf, pasteOver } from './paste.ts';

/** How far from the object its light is matched, in pixels of a picture of 256: the painting's own light takes over. */
const reach = 16;
/** The autoencoder's error is one of tone, a few levels; more is a difference of content, which is not smeared out. */
const mostLevels = 8;

/**
 * The object before a painted background. Its sure pixels are put back exactly, uncertain ones by their matte; the
 * painting, which shows the object too, as the autoencoder sees it, is shifted near the edge by what it gets wrong there,
 * so that the light on both sides agrees.
 */
export function blendPainted(image: Raster, mask: Mask, painted: Raster): Raster {
  sameSize(image, painted);
  const shift = edgeShift(image, mask, painted);
  const background = createRaster(image.width, image.height);
  for (let at = 0; at < shift.length; at++)
    background.data[at] = Math.min(255, Math.max(0, Math.round(painted.data[at] + shift[at])));
  return pasteOver(objectOf(image, mask), background, image, 'auto');
}

/** The painting's error on the object, averaged around each pixel near it and fading with the distance. */
function edgeShift(image: Raster, mask: Mask, painted: Raster): Float64Array {
  const { width, height } = image;
  const radius = Math.max(2, Math.round((reach * Math.max(width, height)) / 256));
  const inside = Float64Array.from(mask.data, (value, i) => (value && !mask.ignore?.[i] ? 1 : 0));
  const weights = boxMean(inside, width, height, radius);
  const distance = squaredDistance(image, (i) => inside[i] !== 0);
  const shift = new Float64Array(width * height * 3);
  for (let c = 0; c < 3; c++) {
    const error = inside.map((value, i) => value * (image.data[i * 3 + c] - painted.data[i * 3 + c]));
    const sums = boxMean(error, width, height, radius);
    for (let i = 0; i < inside.length; i++) {
      if (inside[i] || weights[i] < 1e-9) continue;
      const fade = Math.max(0, 1 - Math.sqrt(distance[i]) / radius);
      const mean = sums[i] / weights[i];
      shift[i * 3 + c] = fade * Math.min(mostLevels, Math.max(-mostLevels, mean));
    }
  }
  return shift;
}

/** Mean over a square of 2 r + 1 pixels, twice, so that its edges do not show; beyond the border counts as zero. */
function boxMean(plane: Float64Array, width: number, height: number, radius: number): Float64Array {
  let values = plane;
  for (let round = 0; round < 2; round++) {
    values = slide(values, width, height, 1, width, radius);
    values = slide(values, height, width, width, 1, radius);
  }
  return values;
}

/** Running sums along lines of `length` entries `step` apart; `lines` of them, `stride` apart. */
function slide(
  values: Float64Array,
  length: number,
  lines: number,
  step: number,
  stride: number,
  radius: number,
): Float64Array {
  const out = new Float64Array(values.length);
  for (let line = 0; line < lines; line++) {
    const start = line * stride;
    let sum = 0;
    for (let i = -radius; i < length; i++) {
      if (i + radius < length) sum += values[start + (i + radius) * step];
      if (i - radius - 1 >= 0) sum -= values[start + (i - radius - 1) * step];
      if (i >= 0) out[start + i * step] = sum / (2 * radius + 1);
    }
  }
  return out;
}
