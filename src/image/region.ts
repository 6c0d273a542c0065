import type { Mask } from './raster.ts';

/** Which pixels an edit touches: one side of a mask. Left out: the whole image. */
export interface Region {
  readonly mask: Mask;
  readonly side: 'object' | 'background';
}

export const onObject = (mask: Mask): Region => ({ mask, side: 'object' });
export const onBackground = (mask: Mask): Region => ({ mask, side: 'background' });
