import { onBackground } from '../image/region.ts';
import { brighten } from './bright.ts';
import { defineScenario } from './define.ts';

export const brightBackground = defineScenario({
  id: 'bright-background',
  family: 'brightness',
  part: 'shift',
  title: 'Bright background',
  description:
    "The background over-exposed: 1.5 · image + 0.9 · blurred image (9×9, σ 4) + 1.9, saturating, as XIMAGENET-12's code computes it.",
  object: 'untouched',
  needs: ['mask'],
  params: {},
  apply: ({ image, mask }) => brighten(image, onBackground(mask)),
});
