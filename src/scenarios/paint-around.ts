import { z } from 'zod';
import { SampleError } from '../contracts/errors.ts';
import type { PaintOrder } from '../contracts/painting.ts';
import type { Mask, Raster } from '../image/raster.ts';
import { blendPainted } from './blend-painted.ts';
import type { Scene, Variant } from './define.ts';

type Wishes = Pick<PaintOrder, 'prompt' | 'strength' | 'lambda' | 'noise' | 'adversarial'>;

/** An object, in place or moved, before a background that the diffusion model paints around it. */
export async function paintAround(
  scene: Pick<Scene, 'paint'>,
  { image, mask }: { image: Raster; mask: Mask },
  wishes: Wishes,
): Promise<Raster> {
  if (mask.data.every((value) => value !== 0))
    throw new SampleError('mask-full', 'the object fills the picture; there is no background to paint');
  return blendPainted(image, mask, await scene.paint({ image, keep: mask, ...wishes }));
}

/** Settings of an edit of the photograph's own background: half of the noise, nothing asked for in words. */
export const editing = { prompt: '', strength: 0.5, lambda: 0 } as const;

/**
 * Whether the surroundings of a moved object are repainted; a setting of every scenario that moves it, applied in
 * `applyScenario`.
 */
export const blend = () =>
  z
    .enum(['none', 'diffusion'])
    .describe('diffusion: the background painted anew around the object, and over its old place')
    .default('none');

/**
 * ImageNet-E's treatment of a moved object: the scene stays, and the background is partly repainted so that no seam
 * shows around the object or at its old place.
 */
export async function settle(scene: Scene, variant: Variant): Promise<Variant> {
  const { image, mask = scene.mask } = variant;
  return { ...variant, image: await paintAround(scene, { image, mask }, { ...editing, noise: 'moved' }) };
}
