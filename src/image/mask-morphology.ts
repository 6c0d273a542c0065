import { invertMask } from './compose.ts';
import { begin, get, put, take } from './kernels/arena.ts';
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

/** A pixel at distance d from the object, up or down its column, covers √(r² − d²) pixels to either side. */
function grow({ width, height, data }: Mask, radius: number, shape: 'disc' | 'square'): Uint8Array {
  // Nothing reaches further than the picture.
  const reach = Math.min(Math.floor(radius), width + height, 32_766);
  const halfWidths = Int32Array.from({ length: reach + 2 }, (_, d) => {
    if (d > reach) return -1;
    return shape === 'square' ? reach : Math.min(width, Math.floor(Math.sqrt(radius * radius - d * d)));
  });
  const kernel = begin();
  const out = take(data.length);
  kernel.maskGrow(put(data), width, height, reach, put(halfWidths), take(data.length * 2), out);
  return get(out, data.length);
}
