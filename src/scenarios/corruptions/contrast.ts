import type { Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { levelAsShare, mapLevels, toLevel } from './shared/levels.ts';

/** What is left of the distance to the mean. */
export const contrastFactors: Severities<number> = [0.4, 0.3, 0.2, 0.1, 0.05];

/** Towards the mean of the channel over the whole photograph. */
export function reduceContrast(image: Raster, factor: number): Raster {
  const sums = [0, 0, 0];
  for (let i = 0; i < image.data.length; i++) sums[i % 3] += image.data[i];
  const table = (sum: number) => {
    const mean = sum / 255 / (image.width * image.height);
    return Uint8Array.from(levelAsShare, (value) => toLevel((value - mean) * factor + mean));
  };
  return mapLevels(image, [table(sums[0]), table(sums[1]), table(sums[2])]);
}

export const contrast = defineCorruption({
  id: 'contrast',
  title: 'Low contrast',
  description: 'Every channel moved towards its mean over the photograph (ImageNet-C).',
  severities: contrastFactors,
  corrupt: reduceContrast,
});
