import { defineScenario } from './define.ts';
import { mixed } from './mixed.ts';
import { border } from './paste.ts';

export const mixedNext = defineScenario({
  id: 'mixed-next',
  family: 'imagenet-9',
  part: 'shift',
  otherBackground: true,
  title: 'Mixed, next class',
  description:
    'The object, in place, over the tiled background (only-bg-t) of a photograph of the next class in order: Mixed-Next of ImageNet-9, with your masks in place of GrabCut and annotated boxes, and at your sizes in place of 256 × 256.',
  object: 'untouched',
  needs: ['mask', 'others'],
  params: { border: border() },
  apply: (scene, { border }) => mixed(scene, 'next-class', border),
});
