import type { Config } from '../../contracts/config.ts';
import { expected } from '../../contracts/errors.ts';
import { importTraining as importInto } from '../../train/exchange/import-training.ts';
import { print } from '../ui/output.ts';
import { version } from '../version.ts';
import type { TrainValues } from './values.ts';

/** `train --import`: what was trained elsewhere becomes a run. */
export async function importTraining(config: Config, values: TrainValues): Promise<void> {
  if (!config.out) throw expected('a run folder to write', '--out', undefined);
  const summary = await importInto({ from: values.import as string, out: config.out, version: version() });
  const { rows, models, trained, scenarios, folds, files } = summary;
  print(values.json, summary, () =>
    [
      `${rows} answers of ${models.join(', ')}: trained on ${trained.length || 'no'} scenario${trained.length === 1 ? '' : 's'}, tested on ${scenarios.length}${folds ? `, ${folds} fold${folds === 1 ? '' : 's'}` : ''}`,
      ...(files.length ? [`${files.length} ONNX model${files.length === 1 ? '' : 's'} in ${summary.run}/models`] : []),
      `Look at it with: sceneshift report ${summary.run}`,
    ].join('\n'),
  );
}
