import { fileURLToPath } from 'node:url';
import type { Config } from '../../contracts/config.ts';
import { expected, UserError } from '../../contracts/errors.ts';
import { openInputs } from '../../run/inputs.ts';
import type { RenderFormat } from '../../run/render-layouts.ts';
import { exportFolds } from '../../train/exchange/export-folds.ts';
import { onInterrupt } from '../interrupt.ts';
import { checkQuality } from '../options.ts';
import { printErrors } from '../ui/errors.ts';
import { print } from '../ui/output.ts';
import { createProgress } from '../ui/progress.ts';
import { version } from '../version.ts';
import type { TrainValues } from './values.ts';

const defaultFolds = 12;
/** From `dist/`, where this runs. */
const scripts = () => fileURLToPath(new URL('../examples/pytorch', import.meta.url));

/** `train --export DIR`: the folds as image folders, to train in another framework. */
export async function exportForTraining(config: Config, values: TrainValues): Promise<void> {
  const out = values.export as string;
  const { size, quality = 90, format = 'jpeg' } = values;
  if (!config.scenarios?.length)
    throw expected('scenarios or a preset', '--scenarios', undefined, 'see sceneshift scenarios');
  checkQuality(quality);
  if (size !== undefined && (!Number.isInteger(size) || size < 1))
    throw expected('a whole number of pixels', '--size', size);
  const inputs = await openInputs(config, { version: version(), models: 'none' });
  const scenarios = inputs.scenarios.map(({ name }) => name);
  const total = inputs.samples.length * scenarios.length;
  const progress = createProgress({ title: 'export', noun: 'variants', total });
  const interrupt = onInterrupt('Finishing the images in hand; the same command goes on from there');
  const summary = await exportFolds({
    ...inputs,
    scenarios,
    folds: config.folds ?? defaultFolds,
    out,
    scripts: scripts(),
    format: format as RenderFormat,
    quality,
    photographs: { ...inputs.photographs, longSidePx: size },
    signal: interrupt.signal,
    onProgress: progress.update,
  }).finally(interrupt.done);
  progress.finish(
    `${summary.variants} variants of ${summary.samples} images in ${summary.folds} folds${summary.found ? `, ${summary.found} of them found` : ''}`,
  );
  for (const warning of summary.warnings) process.stderr.write(`! ${warning}\n`);
  if (!values.json) printErrors(summary.errors);
  if (summary.interrupted) throw new UserError('Interrupted; the same command goes on from here', { exitCode: 130 });
  print(values.json, { ...summary, errors: summary.errors.length, problems: summary.errors }, () =>
    [
      `Written to ${summary.out}. Train there, with PyTorch and timm:`,
      `  python ${summary.out}/train.py ${summary.out} --model resnet50 --epochs 15`,
      'and take the answers back:',
      `  sceneshift train --import ${summary.out}/results --out RUN`,
    ].join('\n'),
  );
}
