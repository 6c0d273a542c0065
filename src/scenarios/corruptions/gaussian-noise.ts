import { createRaster, type Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { levelAsShare, toLevel } from './shared/levels.ts';
import { normalSource } from './shared/noise.ts';

/** Standard deviation of the noise, of a range of 0 to 1. */
export const gaussianNoiseSigmas: Severities<number> = [0.08, 0.12, 0.18, 0.26, 0.38];

/** `noise` draws standard normal numbers. */
export function addNormalNoise(image: Raster, noise: () => number, sigma: number): Raster {
  const out = createRaster(image.width, image.height);
  for (let i = 0; i < out.data.length; i++) out.data[i] = toLevel(levelAsShare[image.data[i]] + sigma * noise());
  return out;
}

export const gaussianNoise = defineCorruption({
  id: 'gaussian-noise',
  title: 'Gaussian noise',
  description: 'Normal noise added to every channel of every pixel, as in low light (ImageNet-C).',
  severities: gaussianNoiseSigmas,
  corrupt: (image, sigma, random) => addNormalNoise(image, normalSource(random), sigma),
});
