import { createRaster, type Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';

/** Share of the channel values that are replaced. */
export const impulseNoiseShares: Severities<number> = [0.03, 0.06, 0.09, 0.17, 0.27];

/** Channels are hit one by one, so that the dots are coloured. `hit` and `salt` draw uniform numbers in [0, 1). */
export function addImpulses(image: Raster, hit: () => number, salt: () => number, share: number): Raster {
  const out = createRaster(image.width, image.height, image.data.slice());
  for (let i = 0; i < out.data.length; i++) {
    const white = salt() <= 0.5;
    if (hit() <= share) out.data[i] = white ? 255 : 0;
  }
  return out;
}

export const impulseNoise = defineCorruption({
  id: 'impulse-noise',
  title: 'Impulse noise',
  description: 'Salt and pepper in colour: single channel values set to 0 or 255, as by bit errors (ImageNet-C).',
  severities: impulseNoiseShares,
  corrupt: (image, share, random) => addImpulses(image, random.uniform, random.uniform, share),
});
