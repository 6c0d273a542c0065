import { defineScenario } from './define.ts';
import { pasteOnPlain } from './paste.ts';

export const segmented = defineScenario({
  id: 'segmented',
  family: 'background',
  part: 'shift',
  title: 'Segmented',
  description: "The object alone on black, as in XIMAGENET-12's code.",
  object: 'untouched',
  needs: ['mask'],
  params: {},
  apply: (scene) => pasteOnPlain(scene, [0, 0, 0]),
});
