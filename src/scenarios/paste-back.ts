import { compose } from '../image/compose.ts';
import { defineScenario } from './define.ts';

export const pasteBack = defineScenario({
  id: 'paste-back',
  family: 'control',
  part: 'control',
  title: 'Pasted back',
  description:
    'The object cut out and put back in its place on its own filled background: what cutting, filling and pasting cost by themselves. The background changes only where the mask was grown to take fringe and shadow along.',
  object: 'untouched',
  needs: ['mask'],
  params: {},
  apply: ({ image, mask, filled }) => compose(image, filled(), mask),
});
