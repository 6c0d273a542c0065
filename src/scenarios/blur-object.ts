import { compose } from '../image/compose.ts';
import { blurFor, blurParams, blurred } from './blurred.ts';
import { defineScenario } from './define.ts';

export const blurObject = defineScenario({
  id: 'blur-object',
  family: 'blur',
  part: 'shift',
  title: 'Blurred object',
  description: "OpenCV's Gaussian blur on the object, 15×15 and σ 3 as in XIMAGENET-12's code.",
  object: 'changed',
  needs: ['mask'],
  params: blurParams,
  apply: ({ image, mask }, options) => compose(blurred(image, blurFor(image, options)), image, mask),
});
