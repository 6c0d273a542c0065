import type { z } from 'zod';
import { onBackground, onObject, type Region } from '../image/region.ts';
import type { region, Scene } from './define.ts';

export type RegionName = z.output<ReturnType<typeof region>>;

/** The pixels a `region` setting means; undefined is the whole image, which needs no mask. */
export function regionOf(scene: Scene, name: RegionName): Region | undefined {
  if (name === 'image') return undefined;
  return name === 'object' ? onObject(scene.mask) : onBackground(scene.mask);
}
