import { fillRegion } from '../image/compose.ts';
import { onObject } from '../image/region.ts';
import { defineScenario } from './define.ts';

export const noFg = defineScenario({
  id: 'no-fg',
  family: 'imagenet-9',
  part: 'removal',
  title: 'No foreground',
  description:
    'The object blacked out, its outline left: No-FG of ImageNet-9, with your mask in place of their GrabCut.',
  object: 'changed',
  needs: ['mask'],
  params: {},
  apply: ({ image, mask }) => fillRegion(image, onObject(mask), [0, 0, 0]),
});
