import { expected, UserError } from '../../contracts/errors.ts';
import { render } from '../../run/render.ts';
import { type RenderFormat, type RenderLayout, renderFormats, renderLayouts } from '../../run/render-layouts.ts';
import { defineCommand } from '../command.ts';
import { loadConfig } from '../config.ts';
import { onInterrupt } from '../interrupt.ts';
import { checkQuality, configOption, dataOptions, sceneOptions, settingsFrom, workOptions } from '../options.ts';
import { paintingProgress } from '../painting.ts';
import { partFrom, shareOptions } from '../shares/options.ts';
import { openRenderInputs, type RenderChoices, renderSettings } from '../shares/render.ts';
import { printErrors } from '../ui/errors.ts';
import { print } from '../ui/output.ts';
import { createProgress } from '../ui/progress.ts';
import { version } from '../version.ts';

export const renderCommand = defineCommand({
  name: 'render',
  summary: 'Write every scenario of a dataset to disk: images, masks and a manifest that --data reads back.',
  options: {
    data: { type: 'string', value: 'PATH', describe: 'image folder, manifest or dataset' },
    ...sceneOptions,
    out: { type: 'string', value: 'DIR', describe: 'folder to write; the same command continues where it stopped' },
    size: { type: 'number', value: 'PX', describe: 'reduce larger images to this longer side before editing' },
    format: {
      type: 'string',
      choices: renderFormats,
      describe: 'png loses nothing; jpeg and webp are smaller and move answers; transparent variants are PNG',
      default: 'png',
    },
    quality: { type: 'number', describe: 'of JPEG and WebP, 1 to 100', default: 90 },
    limit: { type: 'number', describe: 'at most so many samples' },
    sample: { type: 'number', describe: 'so many samples of each class' },
    layout: {
      type: 'string',
      choices: renderLayouts,
      describe: 'folders and names of what is written',
      default: 'sceneshift',
    },
    'data-layout': dataOptions.layout,
    masks: dataOptions.masks,
    objects: dataOptions.objects,
    'label-from': dataOptions['label-from'],
    border: dataOptions.border,
    decode: dataOptions.decode,
    'grow-mask': dataOptions['grow-mask'],
    'edit-defects': dataOptions['edit-defects'],
    'max-pixels': dataOptions['max-pixels'],
    ...shareOptions,
    ...workOptions,
    ...configOption,
  },
  examples: [
    'sceneshift render --data photos/ --scenarios ximagenet-12 --backgrounds plates/ --out rendered/',
    'sceneshift render --data manifest.csv --scenarios blur-background,size:0.05 --format jpeg --quality 95 --out rendered/',
  ],
  async run(values) {
    const config = await loadConfig(values.config, {
      ...settingsFrom(values),
      layout: values['data-layout'],
    });
    if (!config.data) throw expected('a dataset', '--data', undefined);
    if (!config.out) throw expected('a folder to write', '--out', undefined);
    if (!config.scenarios?.length)
      throw expected('scenarios or a preset', '--scenarios', undefined, 'see sceneshift scenarios');
    checkQuality(values.quality);
    if (values.size !== undefined && (!Number.isInteger(values.size) || values.size < 1))
      throw expected('a whole number of pixels', '--size', values.size);

    const choices: RenderChoices = {
      format: values.format as RenderFormat,
      quality: values.quality,
      layout: values.layout as RenderLayout,
      size: values.size,
    };
    const inputs = await openRenderInputs(config, version());
    const scenarios = inputs.scenarios.map(({ name }) => name);
    const progress = createProgress({
      title: 'render',
      noun: 'variants',
      total: inputs.samples.length * scenarios.length,
    });
    if (values.format !== 'png')
      process.stderr.write(
        `! ${values.format === 'jpeg' ? 'JPEG' : 'WebP'} at quality ${values.quality} changes the pixels of every variant, and the answers with them; --format png loses nothing\n`,
      );
    const interrupt = onInterrupt('Finishing the images in hand; the same command goes on from there');
    const { out } = config;
    const part = partFrom(values, { command: 'render', config, choices, out, signal: interrupt.signal });
    const summary = await render({
      ...renderSettings(inputs, choices),
      ...part,
      out,
      signal: interrupt.signal,
      onProgress: progress.update,
      onPainted: paintingProgress(),
    }).finally(interrupt.done);
    progress.finish(
      `${summary.variants} variants of ${summary.samples} images${summary.found ? `, ${summary.found} of them found` : ''}`,
    );
    if (!values.json) printErrors(summary.errors);
    if (summary.interrupted) throw new UserError(`Interrupted; the same command goes on from here`, { exitCode: 130 });
    print(values.json, { ...summary, errors: summary.errors.length, problems: summary.errors }, () =>
      part.share
        ? `Share ${values.shard} is in ${summary.out}; join all of them with sceneshift merge, then the same command without --shard lists them`
        : `Written to ${summary.out}; read it back with --data ${summary.out}/manifest.csv`,
    );
  },
});
