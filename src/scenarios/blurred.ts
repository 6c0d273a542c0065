import { z } from 'zod';
import { type BlurOptions, gaussianBlur } from '../image/blur.ts';
import type { Raster } from '../image/raster.ts';
import { odd } from './define.ts';

let last: { readonly image: Raster; readonly made: Map<string, Raster> } | undefined;

/**
 * The whole image blurred. The last image's are kept, since the edits of its background and of its object need the same
 * one, one after the other.
 */
export function blurred(image: Raster, options: BlurOptions): Raster {
  if (last?.image !== image) last = { image, made: new Map() };
  const key = `${options.kernel} ${options.sigma}`;
  const blur = last.made.get(key) ?? gaussianBlur(image, options);
  last.made.set(key, blur);
  return blur;
}

export const blurParams = {
  sigma: z.number().min(0).describe("standard deviation in pixels; 0: OpenCV's choice for the kernel").default(3),
  kernel: odd().describe('side of the kernel in pixels').default(15),
};
