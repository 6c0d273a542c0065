import { defineScenario } from './define.ts';
import { beforeBackground, border } from './paste.ts';

export const pasteBack = defineScenario({
  id: 'paste-back',
  family: 'control',
  part: 'control',
  title: 'Pasted back',
  description:
    'The object cut out and put back in its place on its own filled background: what cutting, filling and pasting cost by themselves. The background changes only where the mask was grown to take fringe and shadow along.',
  object: 'untouched',
  needs: ['mask'],
  params: { border: border() },
  apply: (scene, { border }) => beforeBackground(scene, scene.filled(), border),
});
