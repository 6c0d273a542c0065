import { expected } from '../../contracts/errors.ts';
import { defineCommand } from '../command.ts';
import { loadConfig } from '../config.ts';
import { settingsFrom } from '../options.ts';
import { options } from '../train/values.ts';

export const train = defineCommand({
  name: 'train',
  summary: 'Train a classifier head on frozen features in every scenario, and test each head in every scenario.',
  options,
  examples: [
    'sceneshift train --data photos/ --backbone resnet50.onnx --scenarios ximagenet-12 --backgrounds plates/ --folds 4 --out runs/heads',
    'sceneshift train --data photos/ --backbone resnet50.onnx --on mix --write-head mixed.onnx --head mix',
    'sceneshift train --data photos/ --backbone resnet50.onnx --helps --on mix --out runs/helps',
  ],
  async run(values) {
    if (values.folds !== undefined && !(Number.isInteger(values.folds) && values.folds >= 2))
      throw expected('a whole number, 2 or more', '--folds', values.folds);
    const config = await loadConfig(values.config, {
      ...settingsFrom(values),
      models: values.backbone === undefined ? undefined : [values.backbone],
    });
    if (values.import !== undefined) {
      const { importTraining } = await import('../train/import.ts');
      return importTraining(config, values);
    }
    if (!config.data) throw expected('a dataset', '--data', undefined);
    // What the command does is chosen by a flag; each way lives in a file of its own and is loaded when asked for.
    if (values.export !== undefined) {
      const { exportForTraining } = await import('../train/export.ts');
      return exportForTraining(config, values);
    }
    const { trainCommand } = await import('../train/heads.ts');
    return trainCommand(config, values);
  },
});
