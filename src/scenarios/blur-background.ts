import { compose } from '../image/compose.ts';
import { blurFor, blurParams, blurred } from './blurred.ts';
import { defineScenario } from './define.ts';

export const blurBackground = defineScenario({
  id: 'blur-background',
  family: 'blur',
  part: 'shift',
  title: 'Blurred background',
  description: "OpenCV's Gaussian blur on the background, 15×15 and σ 3 as in XIMAGENET-12's code.",
  object: 'untouched',
  needs: ['mask'],
  params: blurParams,
  apply: ({ image, mask }, options) => compose(image, blurred(image, blurFor(image, options)), mask),
});
