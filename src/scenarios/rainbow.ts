import { z } from 'zod';
import { shiftHue } from '../image/colour.ts';
import { defineScenario, orRandom, region } from './define.ts';
import { regionOf } from './region.ts';

export const rainbow = defineScenario({
  id: 'rainbow',
  family: 'colour',
  part: 'shift',
  title: 'Rainbow background',
  description:
    "The background's hues turned by one random amount per image, 0–90 of OpenCV's 180 and modulo 180, as in XIMAGENET-12's code.",
  object: 'untouched',
  needs: ['mask'],
  params: {
    shift: orRandom(z.number().int().min(0).max(179))
      .describe("turn of the hue on OpenCV's scale of 180")
      .default('random'),
    region: region().default('background'),
  },
  apply: (scene, params) => {
    const shift = params.shift === 'random' ? scene.random.integer(0, 90) : params.shift;
    return shiftHue(scene.image, regionOf(scene, params.region), shift);
  },
});
