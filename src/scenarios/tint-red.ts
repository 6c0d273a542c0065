import { defineTint } from './tint.ts';

export const tintRed = defineTint('tint-red', 'red', [
  [0, 29],
  [150, 180],
]);
