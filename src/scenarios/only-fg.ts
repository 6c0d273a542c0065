import { defineScenario } from './define.ts';
import { pasteOnPlain } from './paste.ts';

export const onlyFg = defineScenario({
  id: 'only-fg',
  family: 'imagenet-9',
  part: 'shift',
  title: 'Only foreground',
  description: 'The object alone on black: Only-FG of ImageNet-9, with your mask in place of their GrabCut.',
  object: 'untouched',
  needs: ['mask'],
  params: {},
  apply: (scene) => pasteOnPlain(scene, [0, 0, 0]),
});
