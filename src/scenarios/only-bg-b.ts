import { createRaster } from '../image/raster.ts';
import { defineScenario } from './define.ts';
import { objectBox } from './place-object.ts';

export const onlyBgB = defineScenario({
  id: 'only-bg-b',
  family: 'imagenet-9',
  part: 'removal',
  title: 'Only background, box blacked',
  description:
    "The object's box blacked out: Only-BG-B of ImageNet-9, with the box of your mask in place of the annotated one.",
  object: 'changed',
  needs: ['mask'],
  params: {},
  apply: ({ image, mask }) => {
    const box = objectBox(mask);
    const data = image.data.slice();
    for (let y = box.y; y < box.y + box.height; y++) {
      data.fill(0, (y * image.width + box.x) * 3, (y * image.width + box.x + box.width) * 3);
    }
    return createRaster(image.width, image.height, data);
  },
});
