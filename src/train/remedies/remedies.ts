import { SampleError } from '../../contracts/errors.ts';
import type { Mask, Raster } from '../../image/raster.ts';
import { blurredBackground, cropToObject, meanBackground } from './show-object.ts';

/** Another way of showing a picture to a network, at test time or always. */
export interface ObjectView {
  readonly title: string;
  apply(image: Raster, mask: Mask): Raster;
}

/** By name; the mask may be the dataset's or a salient-object model's. */
export const objectViews: Record<string, ObjectView> = {
  'crop-object': { title: 'cropped to the object', apply: cropToObject },
  'mean-background': { title: 'background in its mean colour', apply: meanBackground },
  'blurred-background': { title: 'background blurred away', apply: blurredBackground },
};

export function showObject(view: string, image: Raster, mask: Mask | undefined): Raster {
  if (!mask) throw new SampleError('mask-missing', `the sample has no mask, which the view '${view}' needs`);
  return objectViews[view].apply(image, mask);
}

const salientMark = '~';

/** The same view with the object as a salient-object model sees it, whose identity is part of the name. */
export const salientView = (view: string, identity: string): string => `${view}${salientMark}${identity}`;
export const isSalientView = (name: string): boolean => name.includes(salientMark);
export const baseView = (name: string): string => name.split(salientMark)[0];
export const viewTitle = (name: string): string =>
  `${objectViews[baseView(name)].title}${isSalientView(name) ? ' by salience' : ''}`;
