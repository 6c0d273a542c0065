import { createRaster, type Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { type Motion, motionBlur as magickMotionBlur } from './shared/motion.ts';

export const motionBlurSettings: Severities<Motion> = [
  { radiusPx: 10, sigmaPx: 3 },
  { radiusPx: 15, sigmaPx: 5 },
  { radiusPx: 15, sigmaPx: 8 },
  { radiusPx: 15, sigmaPx: 12 },
  { radiusPx: 20, sigmaPx: 15 },
];

export const smear = (image: Raster, motion: Motion, angleDegrees: number): Raster =>
  createRaster(image.width, image.height, magickMotionBlur(image, 3, motion, angleDegrees));

export const motionBlur = defineCorruption({
  id: 'motion-blur',
  title: 'Motion blur',
  description: 'Smeared along a line within 45° of the horizontal, as by a moving camera (ImageNet-C).',
  severities: motionBlurSettings,
  corrupt: (image, motion, random) => smear(image, motion, -45 + 90 * random.uniform()),
});
