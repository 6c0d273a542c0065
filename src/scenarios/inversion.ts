import { defineScenario } from './define.ts';
import { editing, paintAround } from './paint-around.ts';

export const inversion = defineScenario({
  id: 'inversion',
  family: 'control',
  part: 'control',
  title: 'Inversion control',
  description:
    "The background through the diffusion model and back with nothing asked for, ImageNet-E's λ = 0: what complexity-diffusion and the blended edits cost by their making alone. The object is untouched.",
  object: 'untouched',
  needs: ['mask', 'generator'],
  params: {},
  apply: (scene) => paintAround(scene, scene, { ...editing, noise: 'complexity' }),
});
