import type { Config } from '../../contracts/config.ts';
import { expected } from '../../contracts/errors.ts';
import { readDataset } from '../../dataset/index.ts';
import { assignFolds, selectSamples } from '../../dataset/splits.ts';
import type { TrainValues } from '../commands/train.ts';
import { print } from '../ui/output.ts';

const defaultFolds = 12;

/** Heads trained here, on frozen features. */
export async function trainHeads(config: Config, values: TrainValues): Promise<void> {
  if (!config.models.length) throw expected('an ONNX classifier', '--backbone', undefined);
  const { data = '', layout, masks, objects, seed } = config;
  const dataset = await readDataset(data, { layout, masks, objects });
  const samples = selectSamples(dataset.samples, config);
  const folds = assignFolds(samples, { folds: config.folds ?? defaultFolds, seed });
  print(values.json, { folds: config.folds ?? defaultFolds, samples: folds.size }, () => `${folds.size} samples`);
}
