import { createRaster, type Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { levelAsShare, toLevel } from './shared/levels.ts';
import { normalSource } from './shared/noise.ts';

/** Standard deviation of the noise, as a share of the value it is added to. */
export const speckleNoiseSigmas: Severities<number> = [0.15, 0.2, 0.35, 0.45, 0.6];

/** `noise` draws standard normal numbers. */
export function addSpeckleNoise(image: Raster, noise: () => number, sigma: number): Raster {
  const out = createRaster(image.width, image.height);
  for (let i = 0; i < out.data.length; i++) {
    const value = levelAsShare[image.data[i]];
    out.data[i] = toLevel(value + value * (sigma * noise()));
  }
  return out;
}

export const speckleNoise = defineCorruption({
  id: 'speckle-noise',
  title: 'Speckle noise',
  description: 'Normal noise in proportion to the brightness of the pixel (ImageNet-C, extra).',
  severities: speckleNoiseSigmas,
  corrupt: (image, sigma, random) => addSpeckleNoise(image, normalSource(random), sigma),
});
