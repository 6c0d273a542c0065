import { defineScenario } from './define.ts';
import { addNoise, noiseParams } from './noise.ts';

export const noiseBackground = defineScenario({
  id: 'noise-background',
  family: 'control',
  part: 'control',
  title: 'Noise on the background',
  description:
    "Gaussian noise, σ 0.25 of the range, on the background alone: one of the two halves of Hard ImageNet's relative foreground sensitivity (RFS).",
  object: 'untouched',
  needs: ['mask'],
  params: noiseParams,
  apply: ({ image, mask, random }, { sigma }) => addNoise(image, mask, 'background', sigma, random),
});
