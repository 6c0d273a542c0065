import { z } from 'zod';
import { compose } from '../image/compose.ts';
import { defineScenario } from './define.ts';
import { paintAround } from './paint-around.ts';

/** Environments of the embedded benchmark; any diffusion model knows them. */
const places = [
  'beach',
  'brick wall',
  'desk',
  'forest',
  'jetty',
  'kitchen',
  'lawn',
  'living room',
  'sky',
  'snow',
  'street',
  'workshop',
];

export const generatedBackground = defineScenario({
  id: 'generated-background',
  family: 'background',
  part: 'shift',
  otherBackground: true,
  title: 'Generated background',
  description:
    "The object, in place, before a background that a diffusion model paints around it from words, offline; or, with --generated DIR, pasted unblended onto the one made for this very sample elsewhere. After XIMAGENET-12's AI-generated backgrounds.",
  object: 'untouched',
  needs: ['mask', 'generator'],
  params: {
    prompt: z
      .string()
      .regex(/^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u)
      .meta({ accepts: 'random, or words joined by hyphens' })
      .describe('what is to be seen, words joined by hyphens; random: one of twelve places')
      .default('random'),
  },
  apply: async (scene, { prompt }) => {
    const { image, mask, random } = scene;
    const given = await scene.generated();
    if (given) return compose(image, given, mask);
    const words = prompt === 'random' ? random.pick(places) : prompt.replaceAll('-', ' ');
    return paintAround(scene, { image, mask }, { prompt: words, strength: 1, lambda: 0, noise: 'generated' });
  },
});
