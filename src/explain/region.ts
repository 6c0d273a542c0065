import type { Mask } from '../image/raster.ts';
import type { MadeVariant } from '../run/variants.ts';
import { needsOf, promiseOf } from '../scenarios/registry.ts';

/**
 * The pixels that the label is about: what is protected (a product's defect) where something is, else the object. A moving
 * camera takes the defect along; a scenario that moves the object alone does not say where a defect on it ends up, so
 * there is no region then.
 */
export async function regionOf({ photograph, mask, edit, maskAfterEditing }: MadeVariant): Promise<Mask | undefined> {
  const { protect } = photograph;
  if (!protect) return mask;
  if (!edit || promiseOf(edit.scenario, edit.params) !== 'moved') return protect;
  return needsOf(edit.scenario, edit.params).includes('mask') ? undefined : maskAfterEditing(protect);
}
