import type { Mask } from '../image/raster.ts';
import type { Photograph } from '../run/photograph.ts';
import type { Variant } from '../scenarios/define.ts';
import type { NamedScenario } from '../scenarios/name.ts';
import { needsOf, promiseOf } from '../scenarios/registry.ts';

/**
 * The pixels that the label is about: what is protected (a product's defect) where something is, else the object. `again`
 * makes the variant with another mask, to see where a moving camera takes the defect; a scenario that moves the object
 * alone does not say where a defect on it ends up, so there is no region then.
 */
export async function regionOf(
  photograph: Photograph,
  variant: Variant,
  named: NamedScenario | undefined,
  again: (mask: Mask) => Promise<Variant>,
): Promise<Mask | undefined> {
  const { protect, mask } = photograph;
  if (!protect) return variant.mask ?? mask;
  if (!named || promiseOf(named.scenario, named.params) !== 'moved') return protect;
  return needsOf(named.scenario, named.params).includes('mask') ? undefined : (await again(protect)).mask;
}
