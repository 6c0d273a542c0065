import { compose } from '../image/compose.ts';
import { defineScenario } from './define.ts';

export const randomBackground = defineScenario({
  id: 'random-background',
  family: 'background',
  part: 'shift',
  otherBackground: true,
  title: 'Random background',
  description:
    "The object pasted, in place and unblended, onto a picture of the given folder or another class's photograph whose object was removed; the substitution XIMAGENET-12's and ImageNet-E's texts describe.",
  object: 'untouched',
  needs: ['mask', 'backgrounds'],
  params: {},
  apply: async ({ image, mask, background }) => compose(image, await background(), mask),
});
