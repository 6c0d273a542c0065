import { SampleError } from '../contracts/errors.ts';
import { defineScenario } from './define.ts';
import { objectBox } from './place-object.ts';
import { tileOverBox } from './tiled-background.ts';

export const onlyBgT = defineScenario({
  id: 'only-bg-t',
  family: 'imagenet-9',
  part: 'removal',
  title: 'Only background, box tiled',
  description:
    "The object's box covered with tiles of the largest strip of background beside it: Only-BG-T of ImageNet-9, with the box of your mask in place of the annotated one.",
  object: 'changed',
  needs: ['mask'],
  params: {},
  apply: ({ image, mask }) => {
    const tiled = tileOverBox(image, objectBox(mask));
    if (!tiled) throw new SampleError('mask-full', "the object's box leaves no strip of background to tile with");
    return tiled;
  },
});
