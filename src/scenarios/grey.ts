import { toGrey } from '../image/colour.ts';
import { defineScenario, region } from './define.ts';
import { regionOf } from './region.ts';

export const grey = defineScenario({
  id: 'grey',
  family: 'colour',
  part: 'shift',
  title: 'Greyscale',
  description:
    "OpenCV's grey levels in all three channels; XIMAGENET-12 has the scenario but not its code, so the whole image is our reading.",
  object: 'changed',
  needs: [],
  params: { region: region().default('image') },
  apply: (scene, params) => toGrey(scene.image, regionOf(scene, params.region)),
});
