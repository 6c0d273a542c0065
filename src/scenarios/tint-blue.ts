import { defineTint } from './tint.ts';

export const tintBlue = defineTint('tint-blue', 'blue', [[90, 149]]);
