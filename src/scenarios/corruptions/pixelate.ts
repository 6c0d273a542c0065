import type { Raster } from '../../image/raster.ts';
import { resize } from '../../image/resize.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';

/** Side of the small picture, as a share of the side of the photograph. */
export const pixelateShares: Severities<number> = [0.6, 0.5, 0.4, 0.3, 0.25];

/** Down and up again with Pillow's box filter, both ways as in ImageNet-C. */
export function coarsen(image: Raster, share: number): Raster {
  const { width, height } = image;
  const side = (length: number) => Math.max(1, Math.floor(length * share));
  return resize(resize(image, side(width), side(height), 'box'), width, height, 'box');
}

export const pixelate = defineCorruption({
  id: 'pixelate',
  title: 'Pixelation',
  description: 'Made small and large again with a box filter, as an upscaled small picture (ImageNet-C).',
  severities: pixelateShares,
  corrupt: coarsen,
});
