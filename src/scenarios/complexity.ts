import { z } from 'zod';
import { changeComplexity } from '../image/complexity.ts';
import { defineScenario } from './define.ts';

export const complexity = defineScenario({
  id: 'complexity',
  family: 'background',
  part: 'shift',
  title: 'Background complexity',
  description:
    "The background made busier or simpler by a stated change of its mean Fourier amplitude, the object untouched. ImageNet-E steers a diffusion model by the same number, its λ being the strength of the pull; here the filled background's own texture is strengthened or weakened until the number has changed by the percentage.",
  object: 'untouched',
  needs: ['mask'],
  explicit: true,
  params: {
    change: z
      .number()
      .min(-90)
      .max(400)
      .describe('change of the mean amplitude of the filled background, in percent')
      .default(20),
  },
  apply: ({ filled, paste }, { change }) => paste(changeComplexity(filled(), 1 + change / 100)),
});
