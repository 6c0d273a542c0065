import { resolve } from 'node:path';
import { expected } from '../../contracts/errors.ts';
import { defineCommand } from '../command.ts';
import { loadConfig } from '../config.ts';
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
    const config = await loadConfig(values.config, {
      data: values.data && resolve(values.data),
      layout: values.layout,
      masks: values.masks && resolve(values.masks),
      objects: values.objects,
      border: values.border,
      decode: values.decode,
      growMask: values['grow-mask'],
      editDefects: values['edit-defects'] || undefined,
      models: values.backbone === undefined ? undefined : [values.backbone],
      scenarios: values.scenarios,
      backgrounds: values.backgrounds,
      generated: values.generated,
      out: values.out,
      seed: values.seed,
      limit: values.limit,
      sample: values.sample,
      folds: values.folds,
      threads: values.threads,
      batch: values.batch,
      maxErrors: values['max-errors'],
      maxPixels: values['max-pixels'],
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
