import { defineScenario } from './define.ts';

export const original = defineScenario({
  id: 'original',
  family: 'original',
  part: 'original',
  title: 'Original',
  description: 'The photograph as it is: what every other scenario is compared with.',
  object: 'untouched',
  needs: [],
  params: {},
  apply: ({ image }) => image,
});
