import { z } from 'zod';
import type { Rgb } from '../image/raster.ts';
import { defineScenario } from './define.ts';
import { onColour } from './on-colour.ts';

export const transparent = defineScenario({
  id: 'transparent',
  family: 'background',
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
  apply: ({ image, mask }, { over }) => ({
    image: onColour(image, mask, [0, 2, 4].map((at) => Number.parseInt(over.slice(at, at + 2), 16)) as unknown as Rgb),
    alpha: mask.data.slice(),
  }),
});
