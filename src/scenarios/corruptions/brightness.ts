import type { Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { clip, editHsv } from './shared/hsv.ts';

/** Added to the value of HSV (0 to 1). */
export const brightnessShifts: Severities<number> = [0.1, 0.2, 0.3, 0.4, 0.5];

export const brighten = (image: Raster, shift: number) => editHsv(image, { value: (v) => clip(v + shift) });

export const brightness = defineCorruption({
  id: 'brightness',
  title: 'Brightness',
  description: 'A constant added to the value in HSV, as by daylight (ImageNet-C).',
  severities: brightnessShifts,
  corrupt: brighten,
});
