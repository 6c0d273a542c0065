import { z } from 'zod';
import { defineScenario } from './define.ts';
import { editing, paintAround } from './paint-around.ts';

export const complexityDiffusion = defineScenario({
  id: 'complexity-diffusion',
  family: 'background',
  part: 'shift',
  title: 'Background complexity by diffusion',
  description:
    "The background made simpler or busier by a diffusion model, as in ImageNet-E: it is noised, and at each step back the predicted picture is moved by λ along the gradient of the background's mean Fourier amplitude. 20-adv: of several such backgrounds the one that most lowers a surrogate model's belief in the truth. The object is untouched; inversion is λ = 0.",
  object: 'untouched',
  needs: ['mask', 'generator'],
  explicit: true,
  params: {
    lambda: z
      .union([
        z
          .number()
          .min(-100)
          .max(100)
          .refine((value) => value !== 0),
        z.string().regex(/^-?\d+(\.\d+)?-adv$/),
      ])
      .meta({ accepts: 'a number from -100 to 100 but 0 (which is inversion), or one with -adv' })
      .describe('below 0 simpler, above 0 busier; with -adv searched against a surrogate')
      .default(20),
    queries: z.number().int().min(2).max(1000).describe('backgrounds tried for -adv').default(8),
  },
  apply: (scene, { lambda, queries }) => {
    const adversarial = typeof lambda === 'string';
    return paintAround(scene, scene, {
      ...editing,
      lambda: Number.parseFloat(String(lambda)),
      // One noise for every λ, so that they differ in nothing else; the first background tried for -adv is that of λ alone.
      noise: 'complexity',
      ...(adversarial && { adversarial: { queries } }),
    });
  },
});
