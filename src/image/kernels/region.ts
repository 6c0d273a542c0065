import type { Region } from '../region.ts';
import { filled, put } from './arena.ts';

/** A region as the kernels take it: a mask and what it is XORed with; all set where there is no region. */
export function putRegion(region: Region | undefined, pixels: number): [mask: number, invert: number] {
  if (!region) return [filled(pixels, 255), 0];
  if (region.mask.data.length !== pixels) {
    throw new RangeError(
      `A mask of ${region.mask.width}×${region.mask.height} does not fit an image of ${pixels} pixels`,
    );
  }
  return [put(region.mask.data), region.side === 'object' ? 0 : 255];
}
