import { defineTint } from './tint.ts';

export const tintGreen = defineTint('tint-green', 'green', [[30, 89]]);
