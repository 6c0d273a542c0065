import { defineScenario } from './define.ts';
import { onColour } from './on-colour.ts';

export const segmented = defineScenario({
  id: 'segmented',
  family: 'background',
  title: 'Segmented',
  description: "The object alone on black, as in XIMAGENET-12's code.",
  object: 'untouched',
  needs: ['mask'],
  params: {},
  apply: ({ image, mask }) => onColour(image, mask, [0, 0, 0]),
});
