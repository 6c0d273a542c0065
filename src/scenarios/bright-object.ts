import { onObject } from '../image/region.ts';
import { brighten } from './bright.ts';
import { defineScenario } from './define.ts';

export const brightObject = defineScenario({
  id: 'bright-object',
  family: 'brightness',
  part: 'shift',
  title: 'Bright object',
  description:
    'The object over-exposed by the formula of bright-background; XIMAGENET-12 has the scenario but not its code, so the formula here is our reading.',
  object: 'changed',
  needs: ['mask'],
  params: {},
  apply: ({ image, mask }) => brighten(image, onObject(mask)),
});
