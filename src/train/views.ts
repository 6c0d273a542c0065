import type { Mask, Raster } from '../image/raster.ts';
import { baseView, objectViews, showObject } from './remedies/remedies.ts';

/** How a variant is shown to the network at test time. */
export type ViewOfObject = (image: Raster, mask: Mask | undefined) => Raster;

/** By name; `plain` shows it as it is. */
export const views: Record<string, ViewOfObject> = {
  plain: (image) => image,
  ...Object.fromEntries(
    Object.keys(objectViews).map((name): [string, ViewOfObject] => [
      name,
      (image, mask) => showObject(name, image, mask),
    ]),
  ),
};

export function applyView(name: string, image: Raster, mask: Mask | undefined): Raster {
  const view = views[baseView(name)];
  if (!view) throw new Error(`no view '${name}'`);
  return view(image, mask);
}
