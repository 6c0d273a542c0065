import { defineScenario } from './define.ts';
import { addNoise, noiseParams } from './noise.ts';

export const noiseObject = defineScenario({
  id: 'noise-object',
  family: 'control',
  part: 'control',
  title: 'Noise on the object',
  description:
    "Gaussian noise, σ 0.25 of the range, on the object alone: one of the two halves of Hard ImageNet's relative foreground sensitivity (RFS).",
  object: 'changed',
  needs: ['mask'],
  params: noiseParams,
  apply: ({ image, mask, random }, { sigma }) => addNoise(image, mask, 'object', sigma, random),
});
