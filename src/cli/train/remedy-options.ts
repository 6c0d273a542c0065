import { UserError } from '../../contracts/errors.ts';
import type { RemedyComparison } from '../../contracts/remedies.ts';
import type { Sample } from '../../contracts/sample.ts';
import { describeModel } from '../../models/open.ts';
import { hashJson } from '../../run/hash.ts';
import { headRemedies } from '../../train/remedies/head-remedies.ts';
import { objectViews, salientView } from '../../train/remedies/remedies.ts';
import type { TrainOptions, TrainSummary } from '../../train/train.ts';
import type { TrainValues } from './values.ts';

/** What `--helps` adds to the training: a head on all scenarios where none is named, and the views of the object. */
export async function remedyOptions(
  values: Pick<TrainValues, 'on' | 'salient' | 'offline'>,
  { samples, scenarios }: Pick<TrainOptions, 'samples' | 'scenarios'>,
): Promise<Pick<TrainOptions, 'views' | 'salient' | 'on'>> {
  if (!scenarios.some(({ name }) => name === 'original'))
    throw new UserError('--helps compares with a head trained on the unedited pictures; add original to --scenarios');
  return { on: values.on.length ? values.on : ['mix'], ...(await objectViewsFor(samples, values)) };
}

/** The views of the object that these samples allow: by their masks, by a salient-object model, or both. */
export async function objectViewsFor(
  samples: readonly Sample[],
  { salient, offline }: { salient?: string; offline: boolean },
) {
  const model = salient === undefined ? undefined : await salientModel(salient, offline);
  const masked = marksObjects(samples);
  if (!masked && !model) throw new UserError(noObject(samples));
  const names = Object.keys(objectViews);
  const identity = model && hashJson(model.description.identity).slice(0, 12);
  return {
    views: [...(masked ? names : []), ...(identity ? names.map((name) => salientView(name, identity)) : [])],
    salient: model,
  };
}

async function salientModel(spec: string, offline: boolean) {
  const description = await describeModel(spec, { offline });
  if (description.kind !== 'segmenter')
    throw new UserError(
      `Expected a model that marks pixels (U²-Net, say) for --salient but received ${description.name}, a ${description.kind}`,
    );
  return { spec, description };
}

/** Masks of the object: a mask of the defect alone would tell the answer. */
const marksObjects = (samples: readonly Sample[]): boolean =>
  samples.some(({ mask, protect }) => mask && JSON.stringify(mask) !== JSON.stringify(protect));

const noObject = (samples: readonly Sample[]): string =>
  samples.some(({ protect }) => protect)
    ? "The masks mark the defects, and to show a model the defect is to tell it the answer; give the parts' masks with --masks, or a salient-object model with --salient"
    : 'No sample has a mask, so the object cannot be shown by itself; give --masks, or a salient-object model with --salient';

export const compareRemediesOf = (options: TrainOptions, summary: TrainSummary): Promise<RemedyComparison> =>
  headRemedies({
    run: summary.run,
    model: summary.backbone,
    plan: summary.plan,
    features: summary.computedFeatures.store,
    heads: summary.heads,
    classes: options.classes,
    strength: options.strength,
    threads: options.threads,
    signal: options.signal,
  });
