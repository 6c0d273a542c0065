import type { Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { clip, editHsv } from './shared/hsv.ts';

interface Saturation {
  readonly factor: number;
  readonly shift: number;
}

/** The saturation of HSV (0 to 1) is multiplied by `factor` and raised by `shift`; 1 and 2 fade, 3 to 5 intensify. */
export const saturateSettings: Severities<Saturation> = [
  { factor: 0.3, shift: 0 },
  { factor: 0.1, shift: 0 },
  { factor: 2, shift: 0 },
  { factor: 5, shift: 0.1 },
  { factor: 20, shift: 0.2 },
];

export const resaturate = (image: Raster, { factor, shift }: Saturation) =>
  editHsv(image, { saturation: (s) => clip(s * factor + shift) });

export const saturate = defineCorruption({
  id: 'saturate',
  title: 'Saturation',
  description: 'Colours faded (severity 1 and 2) or intensified (3 to 5) in HSV (ImageNet-C, extra).',
  severities: saturateSettings,
  corrupt: resaturate,
});
