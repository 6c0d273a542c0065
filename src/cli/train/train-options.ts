import type { Config } from '../../contracts/config.ts';
import { openInputs } from '../../run/inputs.ts';
import { openBackbone } from '../../train/backbone.ts';
import { onScenarios } from '../../train/head-plan.ts';
import type { TrainOptions } from '../../train/train.ts';
import { version } from '../version.ts';
import { remedyOptions } from './remedy-options.ts';
import type { TrainValues } from './values.ts';

/** As XIMAGENET-12 says. */
const defaultFolds = 12;

export type TrainChoices = Partial<TrainValues> & Pick<TrainValues, 'on' | 'offline' | 'salient'>;

/** What the settings and the command line say, as the training takes it. */
export async function trainOptions(config: Config, values: TrainChoices): Promise<TrainOptions> {
  const backbone = await openBackbone(config.models[0], {
    layer: values.layer,
    batch: config.batch,
    offline: values.offline,
  });
  const folds = config.folds ?? defaultFolds;
  // Folds of a training keep more together than those of a run, so they are planned there.
  const inputs = await openInputs(
    { ...config, folds: undefined },
    { version: version(), offline: values.offline, models: 'none', moreScenarios: onScenarios(values.on) },
  );
  return {
    ...inputs,
    classes: [...new Set(inputs.samples.flatMap(({ label }) => (label === undefined ? [] : [label])))].sort(),
    folds,
    backbone,
    out: config.out ?? 'runs/train',
    on: values.on,
    ...(values.helps && (await remedyOptions(values, inputs))),
    strength: values.strength,
    layer: values.layer,
    config: { ...config, folds },
  };
}
