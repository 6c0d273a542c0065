import { z } from 'zod';
import { type BlurOptions, gaussianBlur } from '../image/blur.ts';
import type { Raster } from '../image/raster.ts';
import { odd } from './define.ts';

const known = new WeakMap<Raster, Map<string, Raster>>();

/** The whole image blurred; made once per image, since the edits of the background and of the object both need it. */
export function blurred(image: Raster, options: BlurOptions): Raster {
  const key = `${options.kernel} ${options.sigma}`;
  const made = known.get(image) ?? new Map<string, Raster>();
  known.set(image, made);
  const blur = made.get(key) ?? gaussianBlur(image, options);
  made.set(key, blur);
  return blur;
}

export const blurParams = {
  sigma: z.number().min(0).describe("standard deviation in pixels; 0: OpenCV's choice for the kernel").default(3),
  kernel: odd().describe('side of the kernel in pixels').default(15),
};
