import { z } from 'zod';
import { areaShare as shareOf } from '../image/mask-ops.ts';
import { defineScenario, orRandom } from './define.ts';
import { blend } from './paint-around.ts';
import { objectBox, place, scaleObject, turnCutout } from './place-object.ts';
import { scaleForShare, zoomForShare, zoomImage, zoomWindow } from './zoom.ts';

export const position = defineScenario({
  id: 'position',
  family: 'object',
  part: 'shift',
  title: 'Position',
  description:
    'The object moved to a random place on its own filled background, its box anywhere inside the frame with equal chance, or where it is told to be; first brought to 0.05 of the frame, as ImageNet-E does, unless told to keep its size.',
  object: 'moved',
  needs: ['mask'],
  params: {
    areaShare: z
      .union([z.literal('keep'), z.number().gt(0).lt(1)])
      .describe('object pixels over all pixels, or keep')
      .default(0.05),
    x: orRandom(z.number().min(0).max(1))
      .describe('where the middle of its box lies, 0 (left) to 1, kept inside the frame')
      .default('random'),
    y: orRandom(z.number().min(0).max(1)).describe('the same from top to bottom').default('random'),
    degrees: z.number().min(-180).max(180).describe('turned about its own middle first, anticlockwise').default(0),
    blend: blend(),
  },
  apply: ({ image, mask, object: lifted, filled, random }, { areaShare, x: across, y: down, degrees }) => {
    const enlarged = areaShare !== 'keep' && areaShare > shareOf(mask);
    // A smaller object is enlarged together with its scene, as `size` does.
    const factor = enlarged ? zoomForShare(image, mask, areaShare) : 1;
    const scaled =
      areaShare === 'keep' || enlarged ? scaleObject(lifted(), factor) : scaleForShare(lifted(), areaShare);
    const object = degrees === 0 ? scaled : turnCutout(scaled, degrees);
    const background = enlarged ? zoomImage(filled(), zoomWindow(image, objectBox(mask), factor)) : filled();
    const room = { x: image.width - object.box.width, y: image.height - object.box.height };
    // Both are always drawn, so that giving one leaves the other where it was.
    const drawn = { x: random.integer(0, Math.max(0, room.x)), y: random.integer(0, Math.max(0, room.y)) };
    const within = (middle: number, side: number, free: number) =>
      Math.min(Math.max(Math.round(middle * (side + free)) - Math.floor(side / 2), 0), Math.max(0, free));
    const x = across === 'random' ? drawn.x : within(across, object.box.width, room.x);
    const y = down === 'random' ? drawn.y : within(down, object.box.height, room.y);
    return place(object, background, x - object.box.x, y - object.box.y);
  },
});
