import { randomFor } from '../../stats/random.ts';
import type { Latent } from './schedulers/define.ts';

/** Standard normal numbers seeded by what they are for: the same on any machine and at any number of threads. */
export function noiseSource(...seeds: (string | number)[]): (length: number) => Latent {
  const random = randomFor('diffusion', ...seeds);
  return (length) => Float64Array.from({ length }, () => random.normal());
}
