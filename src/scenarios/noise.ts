import { z } from 'zod';
import type { Random } from '../contracts/random.ts';
import { createRaster, type Mask, type Raster } from '../image/raster.ts';

/** Gaussian noise on one side of the mask, each channel its own; clipped to the range, as Hard ImageNet's `rfs.py` does. */
export function addNoise(
  image: Raster,
  mask: Mask,
  side: 'object' | 'background',
  sigma: number,
  random: Random,
): Raster {
  const out = createRaster(image.width, image.height, image.data.slice());
  const scale = 255 * sigma;
  for (let i = 0; i < mask.data.length; i++) {
    if ((mask.data[i] !== 0) !== (side === 'object')) continue;
    for (let at = i * 3; at < i * 3 + 3; at++) {
      out.data[at] = Math.min(255, Math.max(0, Math.round(image.data[at] + scale * random.normal())));
    }
  }
  return out;
}

export const noiseParams = {
  sigma: z
    .number()
    .min(0)
    .max(1)
    .describe('standard deviation, as a share of the range from black to white')
    .default(0.25),
  trial: z.number().int().min(1).describe('which draw of the noise; Hard ImageNet averages three').default(1),
};
