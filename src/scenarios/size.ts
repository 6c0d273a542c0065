import { z } from 'zod';
import { areaShare as shareOf } from '../image/mask-ops.ts';
import { defineScenario, type Scene, type Variant } from './define.ts';
import { blend } from './paint-around.ts';
import { keepInside, objectBox, place } from './place-object.ts';
import { largestZoom, scaleForShare, zoomForShare, zoomImage, zoomMask, zoomWindow } from './zoom.ts';

export const size = defineScenario({
  id: 'size',
  family: 'object',
  part: 'shift',
  title: 'Size',
  description:
    "The object brought to a share of the frame, as in ImageNet-E: a larger one is shrunk about the middle of its box onto its own filled background; a smaller one is enlarged by cropping the photograph around it; full is the closest crop of the frame's shape that holds it.",
  object: 'moved',
  needs: ['mask'],
  explicit: true,
  params: {
    areaShare: z
      .union([z.literal('full'), z.number().gt(0).lt(1)])
      .describe('object pixels over all pixels; at or above what the closest crop gives, full')
      .default(0.05),
    blend: blend(),
  },
  apply: (scene, { areaShare }) => {
    const { image, mask } = scene;
    if (areaShare !== 'full' && areaShare <= shareOf(mask)) return shrunk(scene, areaShare);
    const box = objectBox(mask);
    const most = largestZoom(image, box);
    const factor = areaShare === 'full' ? most : Math.min(most, zoomForShare(image, mask, areaShare));
    const window = zoomWindow(image, box, factor);
    return { image: zoomImage(image, window), mask: zoomMask(mask, window) };
  },
});

function shrunk({ image, mask, object: lifted, filled }: Scene, wanted: number): Variant {
  const box = objectBox(mask);
  const object = scaleForShare(lifted(), wanted);
  const middle = {
    x: Math.round(box.x + box.width / 2 - object.width / 2),
    y: Math.round(box.y + box.height / 2 - object.height / 2),
  };
  const { x, y } = keepInside(object, image, middle.x, middle.y);
  return place(object, filled(), x, y);
}
