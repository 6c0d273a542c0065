import { z } from 'zod';
import { type BlurOptions, gaussianBlur } from '../image/blur.ts';
import type { Raster } from '../image/raster.ts';
import { giveBackRoom } from '../image/spare-room.ts';
import { odd } from './define.ts';

let last: { readonly image: Raster; readonly made: Map<string, Raster> } | undefined;

/**
 * The whole image blurred. The blurs of the last image are kept, since the edits of its background and of its object
 * need the same one, one after the other. The caller must not keep the result: the next image is written into the same
 * memory.
 */
export function blurred(image: Raster, options: BlurOptions): Raster {
  if (last?.image !== image) {
    for (const { data } of last?.made.values() ?? []) giveBackRoom(data);
    last = { image, made: new Map() };
  }
  const key = `${options.kernel} ${options.sigma}`;
  const blur = last.made.get(key) ?? gaussianBlur(image, options);
  last.made.set(key, blur);
  return blur;
}

export const blurParams = {
  sigma: z.number().min(0).describe("standard deviation in pixels; 0: OpenCV's choice for the kernel").default(3),
  kernel: odd({ most: 999 }).describe('side of the kernel in pixels').default(15),
  sigmaShare: z
    .number()
    .min(0)
    .max(0.2)
    .describe(
      "standard deviation as a share of the image's shorter side, the kernel five times as wide as it; above 0 it takes the place of sigma and kernel",
    )
    .default(0),
};

/** The blur in pixels of one image. At 240 px a share of 0.0125 is σ 3 and 15 × 15, the recipe of XIMAGENET-12. */
export function blurFor(
  { width, height }: Raster,
  { sigma, kernel, sigmaShare }: BlurOptions & { sigmaShare: number },
): BlurOptions {
  if (sigmaShare === 0) return { sigma, kernel };
  const relative = sigmaShare * Math.min(width, height);
  return { sigma: relative, kernel: 2 * Math.max(1, Math.floor(2.5 * relative)) + 1 };
}
