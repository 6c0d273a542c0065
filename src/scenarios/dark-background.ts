import { applyTable } from '../image/colour.ts';
import { onBackground } from '../image/region.ts';
import { defineScenario, positive } from './define.ts';
import { exposureTable } from './exposure.ts';

export const darkBackground = defineScenario({
  id: 'dark-background',
  family: 'brightness',
  part: 'shift',
  title: 'Dark background',
  description:
    'The background under-exposed by two stops, a quarter of its light, computed in linear light; our own recipe.',
  object: 'untouched',
  needs: ['mask'],
  params: { stops: positive().max(8).describe('stops of light taken away').default(2) },
  apply: ({ image, mask }, { stops }) => applyTable(image, onBackground(mask), exposureTable(-stops)),
});
