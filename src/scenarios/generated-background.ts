import { compose } from '../image/compose.ts';
import { defineScenario } from './define.ts';

export const generatedBackground = defineScenario({
  id: 'generated-background',
  family: 'background',
  part: 'shift',
  otherBackground: true,
  title: 'Generated background',
  description:
    'The object pasted, in place and unblended, onto the background generated for this very sample (--generated DIR); after XIMAGENET-12.',
  object: 'untouched',
  needs: ['mask', 'generator'],
  params: {},
  apply: async ({ image, mask, generated }) => compose(image, await generated(), mask),
});
