import type { Sample } from '../contracts/sample.ts';
import type { NamedScenario } from '../scenarios/name.ts';
import { withBorderTrials, withPasteBack } from '../scenarios/with-controls.ts';
import type { PlanInput } from './plan.ts';

/**
 * The scenarios that a run makes: those asked for with their control (`shown`), and all of them, with those that only
 * the verdict needs.
 */
export function runScenarios(
  inputs: PlanInput,
  { controls }: { readonly controls: boolean },
): { shown: readonly NamedScenario[]; all: readonly NamedScenario[] } {
  if (!controls) return { shown: inputs.scenarios, all: inputs.scenarios };
  const shown = withPasteBack(inputs.scenarios);
  return { shown, all: bordersMatter(inputs) ? withBorderTrials(shown) : shown };
}

/** Whether the verdict may depend on the masks' uncertain pixels: masks with such a band, in a run of classifiers. */
const bordersMatter = ({ samples, models, photographs }: PlanInput): boolean =>
  photographs.border === 'ignore' &&
  !photographs.growMaskPx &&
  samples.some(({ mask }) => hasUndecidedBand(mask)) &&
  models.every(({ description }) => description.kind !== 'segmenter');

const hasUndecidedBand = (mask: Sample['mask']): boolean =>
  (mask?.kind === 'file' && mask.encoding === 'trimap') ||
  ((mask?.kind === 'file' || mask?.kind === 'alpha') && mask.soft === true);
