import { z } from 'zod';
import { areaShare as shareOf } from '../image/mask-ops.ts';
import { defineScenario } from './define.ts';
import { blend } from './paint-around.ts';
import { objectBox, place, scaleObject } from './place-object.ts';
import { scaleForShare, zoomForShare, zoomImage, zoomWindow } from './zoom.ts';

export const position = defineScenario({
  id: 'position',
  family: 'object',
  part: 'shift',
  title: 'Position',
  description:
    'The object moved to a random place on its own filled background, its box anywhere inside the frame with equal chance; first brought to 0.05 of the frame, as ImageNet-E does, unless told to keep its size.',
  object: 'moved',
  needs: ['mask'],
  params: {
    areaShare: z
      .union([z.literal('keep'), z.number().gt(0).lt(1)])
      .describe('object pixels over all pixels, or keep')
      .default(0.05),
    blend: blend(),
  },
  apply: ({ image, mask, object: lifted, filled, random }, { areaShare }) => {
    const enlarged = areaShare !== 'keep' && areaShare > shareOf(mask);
    // A smaller object is enlarged together with its scene, as `size` does.
    const factor = enlarged ? zoomForShare(image, mask, areaShare) : 1;
    const object =
      areaShare === 'keep' || enlarged ? scaleObject(lifted(), factor) : scaleForShare(lifted(), areaShare);
    const background = enlarged ? zoomImage(filled(), zoomWindow(image, objectBox(mask), factor)) : filled();
    const x = random.integer(0, Math.max(0, image.width - object.box.width));
    const y = random.integer(0, Math.max(0, image.height - object.box.height));
    return place(object, background, x - object.box.x, y - object.box.y);
  },
});
