import { expected, UserError } from '../../contracts/errors.ts';
import { replaceFile } from '../../formats/replace-file.ts';
import { openInputs } from '../../run/inputs.ts';
import { deliveredRemedies } from '../../train/remedies/delivered-remedies.ts';
import { defineCommand } from '../command.ts';
import { loadConfig } from '../config.ts';
import { onInterrupt } from '../interrupt.ts';
import { configOption, dataOptions, sceneOptions, settingsFrom, workOptions } from '../options.ts';
import { objectViewsFor } from '../train/remedy-options.ts';
import { printErrors } from '../ui/errors.ts';
import { print } from '../ui/output.ts';
import { createProgress } from '../ui/progress.ts';
import { remediesText } from '../ui/remedies-text.ts';
import { version } from '../version.ts';

export const helps = defineCommand({
  name: 'helps',
  summary: 'What helps a model as delivered: the object cropped, or its background suppressed, at test time.',
  options: {
    data: { type: 'string', value: 'PATH', describe: 'image folder, manifest or dataset' },
    model: { type: 'string', value: 'MODEL', describe: 'ONNX file, Hugging Face id or folder, or kind:rest' },
    ...sceneOptions,
    salient: {
      type: 'string',
      value: 'MODEL',
      describe: 'find the object by this salient-object model too, not by the masks alone',
    },
    own: { type: 'boolean', describe: "count answers over the dataset's own classes" },
    out: { type: 'string', value: 'FILE.json', describe: 'also write the table here' },
    limit: { type: 'number', describe: 'at most so many samples' },
    sample: { type: 'number', describe: 'so many samples of each class' },
    batch: { type: 'number', describe: 'variants in one call of the model' },
    offline: { type: 'boolean', describe: 'take models from the cache only' },
    ...dataOptions,
    ...workOptions,
    ...configOption,
  },
  examples: [
    'sceneshift helps --data photos/ --model resnet50.onnx --scenarios ximagenet-12 --backgrounds plates/',
    'sceneshift helps --data photos/ --model resnet50.onnx --salient u2netp.onnx --own',
  ],
  async run(values) {
    const config = await loadConfig(values.config, {
      ...settingsFrom(values),
      models: values.model === undefined ? undefined : [values.model],
      out: undefined,
    });
    if (!config.data) throw expected('a dataset', '--data', undefined);
    if (config.models.length !== 1) throw expected('one model', '--model', config.models.length || undefined);
    const inputs = await openInputs({ ...config, folds: undefined }, { version: version(), offline: values.offline });
    const { samples } = inputs;
    const [{ description }] = inputs.models;
    if (description.kind === 'segmenter' || description.kind === 'predictions')
      throw new UserError(
        `${description.name} cannot be shown pictures and asked for a class (it is a ${description.kind})`,
      );
    const interrupt = onInterrupt('Stopping');
    const progress = createProgress({ title: 'helps', noun: 'samples', total: samples.length });
    const { helps: result, errors } = await deliveredRemedies({
      ...inputs,
      ...(await objectViewsFor(samples, values)),
      own: values.own,
      signal: interrupt.signal,
      onProgress: progress.update,
    }).finally(interrupt.done);
    progress.finish(`${samples.length} samples`);
    if (!values.json) printErrors(errors);
    if (interrupt.signal.aborted) throw new UserError('Interrupted', { exitCode: 130 });
    if (values.out) await replaceFile(values.out, `${JSON.stringify(result, null, 2)}\n`);
    print(values.json, result, () => remediesText(result));
  },
});
