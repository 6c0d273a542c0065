import type { Accuracies } from './accuracies.ts';
import { measureAgreement } from './agreement.ts';
import { errorRatios } from './error-ratio.ts';
import { foregroundSensitivity } from './foreground-sensitivity.ts';
import { imagenet9 } from './imagenet-9.ts';
import { imagenetC } from './imagenet-c.ts';
import { imagenetD } from './imagenet-d.ts';
import { imagenetE } from './imagenet-e.ts';

/** The neighbouring papers' own measures of one model; each null where its scenarios were not run. */
export const measuresOf = (accuracies: Accuracies) => ({
  imagenetE: imagenetE(accuracies),
  imagenetD: imagenetD(accuracies),
  imagenet9: imagenet9(accuracies),
  imagenetC: imagenetC(accuracies),
  errorRatios: errorRatios(accuracies),
  foregroundSensitivity: foregroundSensitivity(accuracies),
});
export type Measures = ReturnType<typeof measuresOf>;

/** Do the measures order the models alike? Those that count harm are turned round, so that larger is better in all. */
export function agreementOf(
  models: readonly { model: string; robustness: number | null; meanDrop: number | null; measures: Measures }[],
) {
  const collect = (value: (entry: (typeof models)[number]) => number | null | undefined) =>
    new Map(
      models.flatMap((entry) => {
        const found = value(entry);
        return found === null || found === undefined ? [] : [[entry.model, found] as const];
      }),
    );
  const negative = (value: number | null | undefined) => (value === null || value === undefined ? null : -value);
  return measureAgreement({
    'robustness score': collect(({ robustness }) => robustness),
    'mean drop': collect(({ meanDrop }) => negative(meanDrop)),
    'ImageNet-E average drop': collect(({ measures }) => negative(measures.imagenetE?.average)),
    'ImageNet-D accuracy': collect(({ measures }) => measures.imagenetD?.overall),
    'ImageNet-9 background gap': collect(({ measures }) => negative(measures.imagenet9?.backgroundGap)),
    'ImageNet-C mCE': collect(({ measures }) => negative(measures.imagenetC?.mce)),
    'foreground sensitivity': collect(({ measures }) => measures.foregroundSensitivity),
  });
}
