import { z } from 'zod';
import { defineScenario, orRandom } from './define.ts';
import { blend } from './paint-around.ts';
import { place, rotateObject } from './place-object.ts';

export const direction = defineScenario({
  id: 'direction',
  family: 'object',
  part: 'shift',
  title: 'Direction',
  description:
    "The object turned about the middle of the frame on its own filled background, within ±45° by default, as ImageNet-E's toolkit does with Pillow's rotate; what leaves the frame is cut off.",
  object: 'moved',
  needs: ['mask'],
  params: {
    degrees: orRandom(z.number().min(-180).max(180))
      .describe('angle, anticlockwise; random: uniform within the range')
      .default('random'),
    range: z.number().gt(0).max(180).describe('largest random angle, to either side').default(45),
    blend: blend(),
  },
  apply: ({ object, filled, random }, { degrees, range }) =>
    place(rotateObject(object(), degrees === 'random' ? (2 * random.uniform() - 1) * range : degrees), filled(), 0, 0),
});
