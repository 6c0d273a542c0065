import type { Random } from '../../contracts/random.ts';
import { createRaster, type Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { levelAsShare, toLevel } from './shared/levels.ts';
import { poissonSampler } from './shared/poisson.ts';

/** Photons that make full brightness: the fewer, the noisier. */
export const shotNoisePhotons: Severities<number> = [60, 25, 12, 5, 3];

/** `count` draws the number of photons that arrive for a level. */
export function developPhotons(image: Raster, photons: number, count: (level: number) => number): Raster {
  const out = createRaster(image.width, image.height);
  for (let i = 0; i < out.data.length; i++) out.data[i] = toLevel(count(image.data[i]) / photons);
  return out;
}

function photonCounter(photons: number, random: Random): (level: number) => number {
  const samplers = Array.from(levelAsShare, (value) => poissonSampler(value * photons));
  return (level) => samplers[level](random.uniform());
}

export const shotNoise = defineCorruption({
  id: 'shot-noise',
  title: 'Shot noise',
  description: 'The noise of counting photons: Poisson, stronger the fewer there are (ImageNet-C).',
  severities: shotNoisePhotons,
  corrupt: (image, photons, random) => developPhotons(image, photons, photonCounter(photons, random)),
});
