import { applyTable } from '../image/colour.ts';
import { onObject } from '../image/region.ts';
import { defineScenario, positive } from './define.ts';
import { exposureTable } from './exposure.ts';

export const darkObject = defineScenario({
  id: 'dark-object',
  family: 'brightness',
  part: 'shift',
  title: 'Dark object',
  description:
    'The object under-exposed by two stops, a quarter of its light, computed in linear light; our own recipe.',
  object: 'changed',
  needs: ['mask'],
  params: { stops: positive().max(8).describe('stops of light taken away').default(2) },
  apply: ({ image, mask }, { stops }) => applyTable(image, onObject(mask), exposureTable(-stops)),
});
