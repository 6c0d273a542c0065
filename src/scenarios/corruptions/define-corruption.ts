import { z } from 'zod';
import { SampleError } from '../../contracts/errors.ts';
import type { Random } from '../../contracts/random.ts';
import { compose } from '../../image/compose.ts';
import type { Mask, Raster } from '../../image/raster.ts';
import { defineScenario, region, type Scene } from '../define.ts';

/** One setting for each severity, 1 to 5. */
export type Severities<S> = readonly [S, S, S, S, S];

/** `move` says where a mask goes, for a corruption that displaces what it shows. */
interface Corrupted {
  readonly image: Raster;
  readonly move?: (mask: Mask) => Mask;
}

export interface Corruption<S> {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly severities: Severities<S>;
  /** Of the whole photograph, whatever the region: the region decides only which of its pixels are kept. */
  corrupt(image: Raster, setting: S, random: Random): Raster | Corrupted | Promise<Raster>;
}

/** A corruption of ImageNet-C as a scenario: `fog:5`, `fog:severity=3+region=background`; `fog` alone is `fog:3`. */
export function defineCorruption<S>({ id, title, description, severities, corrupt }: Corruption<S>) {
  return defineScenario({
    id,
    family: 'corruption',
    part: 'shift',
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
      const made = await corrupt(scene.image, severities[severity - 1], scene.random);
      const { image, move }: Corrupted = 'image' in made ? made : { image: made };
      if (region === 'object') return compose(image, scene.image, scene.mask);
      if (region === 'background') return compose(scene.image, image, scene.mask);
      const mask = move && maskIfAny(scene);
      return move && mask ? { image, mask: move(mask) } : image;
    },
  });
}

/** The whole image can be corrupted without a mask. */
function maskIfAny(scene: Scene): Mask | undefined {
  try {
    return scene.mask;
  } catch (error) {
    if (error instanceof SampleError && error.problem === 'mask-missing') return undefined;
    throw error;
  }
}
