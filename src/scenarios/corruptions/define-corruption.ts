import { z } from 'zod';
import type { Random } from '../../contracts/random.ts';
import { compose } from '../../image/compose.ts';
import type { Raster } from '../../image/raster.ts';
import { defineScenario, region } from '../define.ts';

/** One setting for each severity, 1 to 5. */
export type Severities<S> = readonly [S, S, S, S, S];

export interface Corruption<S> {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly severities: Severities<S>;
  /** Of the whole photograph, whatever the region: the region decides only which of its pixels are kept. */
  corrupt(image: Raster, setting: S, random: Random): Raster | Promise<Raster>;
}

/** A corruption of ImageNet-C as a scenario: `fog:5`, `fog:severity=3+region=background`; `fog` alone is `fog:3`. */
export function defineCorruption<S>({ id, title, description, severities, corrupt }: Corruption<S>) {
  return defineScenario({
    id,
    family: 'corruption',
    title,
    description,
    object: 'changed',
    needs: [],
    explicit: true,
    params: {
      severity: z.number().int().min(1).max(5).default(3).describe('1 (slight) to 5 (severe), as in ImageNet-C'),
      region: region().default('image'),
    },
    apply: async (scene, { severity, region }) => {
      const corrupted = await corrupt(scene.image, severities[severity - 1], scene.random);
      if (region === 'image') return corrupted;
      return region === 'object'
        ? compose(corrupted, scene.image, scene.mask)
        : compose(scene.image, corrupted, scene.mask);
    },
  });
}
