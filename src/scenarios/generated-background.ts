import { z } from 'zod';
import { defineScenario } from './define.ts';
import { paintAround } from './paint-around.ts';
import { beforeBackground, border, borderedMask } from './paste.ts';

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
    border: border(),
  },
  apply: async (scene, { prompt, border }) => {
    const { image, random } = scene;
    const mask = borderedMask(scene.mask, border);
    const given = await scene.generated();
    if (given) return beforeBackground(scene, given, border);
    const words = prompt === 'random' ? random.pick(places) : prompt.replaceAll('-', ' ');
    const wishes = { prompt: words, strength: 1, lambda: 0, noise: 'generated' };
    const painted = await paintAround(scene, { image, mask }, wishes);
    return mask === scene.mask ? painted : { image: painted, mask };
  },
});
