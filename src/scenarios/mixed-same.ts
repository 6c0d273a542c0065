import { defineScenario } from './define.ts';
import { mixed } from './mixed.ts';
import { border } from './paste.ts';

export const mixedSame = defineScenario({
  id: 'mixed-same',
  family: 'imagenet-9',
  part: 'shift',
  title: 'Mixed, same class',
  description:
    'The object, in place, over the tiled background (only-bg-t) of another photograph of its class: Mixed-Same of ImageNet-9, with your masks in place of GrabCut and annotated boxes, and at your sizes in place of 256 × 256.',
  object: 'untouched',
  needs: ['mask', 'others'],
  params: { border: border() },
  apply: (scene, { border }) => mixed(scene, 'same-class', border),
});
