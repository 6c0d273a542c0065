import { createRaster, type Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { levelAsShare, toLevel } from './shared/levels.ts';
import { plasmaClouds } from './shared/plasma.ts';

interface Fog {
  readonly density: number;
  readonly decay: number;
}

/** `decay` is how fast the cloud's detail fades: less of it, finer wisps. */
export const fogSettings: Severities<Fog> = [
  { density: 1.5, decay: 2 },
  { density: 2, decay: 2 },
  { density: 2.5, decay: 1.7 },
  { density: 2.5, decay: 1.5 },
  { density: 3, decay: 1.4 },
];

/** Clouds added, then all scaled down, so that the brightest the photograph could become is what it was. */
export function addFog(image: Raster, { density, decay }: Fog, uniform: () => number): Raster {
  const { width, height, data } = image;
  const clouds = plasmaClouds(width, height, decay, uniform);
  let highest = 0;
  for (let i = 0; i < data.length; i++) if (data[i] > highest) highest = data[i];
  const brightest = levelAsShare[highest];
  const out = createRaster(width, height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const cloud = density * clouds(x, y);
      for (let c = 0; c < 3; c++, i++) {
        out.data[i] = toLevel(((levelAsShare[data[i]] + cloud) * brightest) / (brightest + density));
      }
    }
  }
  return out;
}

export const fog = defineCorruption({
  id: 'fog',
  title: 'Fog',
  description: 'Clouds of a plasma fractal laid over the photograph (ImageNet-C).',
  severities: fogSettings,
  corrupt: (image, setting, random) => addFog(image, setting, random.uniform),
});
