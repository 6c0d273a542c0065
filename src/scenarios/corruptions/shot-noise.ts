import type { Random } from '../../contracts/random.ts';
import { createRaster, type Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { toLevel, unit } from './shared/levels.ts';
import { poissonSampler } from './shared/poisson.ts';

/** Photons that make full brightness: the fewer, the noisier. */
export const shotNoisePhotons: Severities<number> = [60, 25, 12, 5, 3];

/** One count for every channel value, with the mean its brightness asks for. */
export function countPhotons(image: Raster, photons: number, random: Random): Uint16Array {
  const samplers = Array.from(unit, (value) => poissonSampler(value * photons));
  const counts = new Uint16Array(image.data.length);
  for (let i = 0; i < counts.length; i++) counts[i] = samplers[image.data[i]](random.uniform());
  return counts;
}

export function developPhotons(width: number, height: number, counts: Uint16Array, photons: number): Raster {
  const out = createRaster(width, height);
  for (let i = 0; i < counts.length; i++) out.data[i] = toLevel(counts[i] / photons);
  return out;
}

export const shotNoise = defineCorruption({
  id: 'shot-noise',
  title: 'Shot noise',
  description: 'The noise of counting photons: Poisson, stronger the fewer there are (ImageNet-C).',
  severities: shotNoisePhotons,
  corrupt: (image, photons, random) =>
    developPhotons(image.width, image.height, countPhotons(image, photons, random), photons),
});
