import { addWeighted } from '../image/colour.ts';
import { onObject } from '../image/region.ts';
import { defineScenario } from './define.ts';

export const randomBackgroundAdditive = defineScenario({
  id: 'random-background-additive',
  family: 'background',
  part: 'shift',
  contrived: true,
  title: 'Object added to a random background',
  description:
    "The object on black added, saturating, to a random background, so that both shine through, as XIMAGENET-12's code does; the frame stays the photograph's instead of the background's.",
  object: 'changed',
  needs: ['mask', 'backgrounds'],
  params: {},
  apply: async ({ image, mask, background }) => addWeighted(await background(), 1, image, 1, 0, onObject(mask)),
});
