import { invertMask } from './compose.ts';
import type { Mask } from './raster.ts';

export interface MorphologyOptions {
  /** Pixels; fractions count for a disc. */
  radius: number;
  /** `disc`: every pixel whose centre lies within the radius; `square`: side 2 · radius + 1. */
  shape?: 'disc' | 'square';
}

/** The object grown; what lies outside the image is background. Its time does not depend on the radius. */
export function dilate(mask: Mask, { radius, shape = 'disc' }: MorphologyOptions): Mask {
  return { ...mask, data: grow(mask, radius, shape) };
}

/** The object shrunk; outside the image counts as object, so the image's edge removes nothing. */
export function erode(mask: Mask, { radius, shape = 'disc' }: MorphologyOptions): Mask {
  const background = invertMask(mask);
  return invertMask({ ...background, data: grow(background, radius, shape) });
}

/**
 * First the distance to the object up and down each column; then, along each row, a pixel at column distance d covers
 * √(r² − d²) pixels to either side, and two sweeps join what is covered.
 */
function grow({ width, height, data }: Mask, radius: number, shape: 'disc' | 'square'): Uint8Array {
  const reach = Math.floor(radius);
  const halfWidth = Int32Array.from({ length: reach + 2 }, (_, d) => {
    if (d > reach) return -1;
    return shape === 'square' ? reach : Math.floor(Math.sqrt(radius * radius - d * d));
  });
  const distance = new Int32Array(data.length);
  const far = reach + 1;
  for (let i = 0; i < data.length; i++) {
    distance[i] = data[i] !== 0 ? 0 : i < width ? far : Math.min(far, distance[i - width] + 1);
  }
  for (let i = data.length - width - 1; i >= 0; i--) distance[i] = Math.min(distance[i], distance[i + width] + 1);

  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let x = 0, end = -1; x < width; x++) {
      end = Math.max(end, x + halfWidth[distance[row + x]]);
      if (x <= end) out[row + x] = 255;
    }
    for (let x = width - 1, end = width; x >= 0; x--) {
      end = Math.min(end, x - halfWidth[distance[row + x]]);
      if (x >= end) out[row + x] = 255;
    }
  }
  return out;
}
