import { fillRegion } from '../image/compose.ts';
import { onBackground } from '../image/region.ts';
import { defineScenario } from './define.ts';

export const segmented = defineScenario({
  id: 'segmented',
  family: 'background',
  part: 'shift',
  title: 'Segmented',
  description: "The object alone on black, as in XIMAGENET-12's code.",
  object: 'untouched',
  needs: ['mask'],
  params: {},
  apply: ({ image, mask }) => fillRegion(image, onBackground(mask), [0, 0, 0]),
});
