import { z } from 'zod';
import type { Rgb } from '../image/raster.ts';
import { defineScenario } from './define.ts';
import { pasteOnPlain } from './paste.ts';

export const transparent = defineScenario({
  id: 'transparent',
  family: 'background',
  part: 'shift',
  title: 'Transparent background',
  description:
    "The background's alpha 0 and the object's 255, as in XIMAGENET-12's code; a model, which knows no alpha, sees the object over a stated colour.",
  object: 'untouched',
  needs: ['mask'],
  alpha: true,
  params: {
    over: z
      .string()
      .regex(/^[0-9a-f]{6}$/)
      .meta({ accepts: 'six hexadecimal digits such as ffffff' })
      .describe('colour behind the object for a model, RRGGBB')
      .default('ffffff'),
  },
  apply: (scene, { over }) => ({
    image: pasteOnPlain(scene, fromHex(over)),
    alpha: scene.object().alpha.slice(),
  }),
});

const fromHex = (colour: string): Rgb => {
  const value = Number.parseInt(colour, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};
