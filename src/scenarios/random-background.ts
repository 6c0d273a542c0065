import { defineScenario } from './define.ts';
import { beforeBackground, border } from './paste.ts';

export const randomBackground = defineScenario({
  id: 'random-background',
  family: 'background',
  part: 'shift',
  otherBackground: true,
  title: 'Random background',
  description:
    "The object pasted, in place, onto a picture of the given folder or another class's photograph whose object was removed; the substitution XIMAGENET-12's and ImageNet-E's texts describe.",
  object: 'untouched',
  needs: ['mask', 'backgrounds'],
  params: { border: border() },
  apply: async (scene, { border }) => beforeBackground(scene, await scene.background(), border),
});
