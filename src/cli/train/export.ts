import { fileURLToPath } from 'node:url';
import type { Config } from '../../contracts/config.ts';
import { expected, UserError } from '../../contracts/errors.ts';
import { readDataset } from '../../dataset/index.ts';
import { selectSamples } from '../../dataset/splits.ts';
import { listBackgrounds } from '../../run/scene-pool.ts';
import { parseScenarioList } from '../../scenarios/name.ts';
import { exportFolds } from '../../train/exchange/export-folds.ts';
import { onInterrupt } from '../interrupt.ts';
import { photographOptions, threadsFrom } from '../options.ts';
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
  if (quality < 1 || quality > 100) throw expected('a number from 1 to 100', '--quality', quality);
  if (size !== undefined && (!Number.isInteger(size) || size < 1))
    throw expected('a whole number of pixels', '--size', size);
  const { data = '', layout, masks, objects, labelFrom } = config;
  const dataset = await readDataset(data, { layout, masks, objects, labelFrom });
  const samples = selectSamples(dataset.samples, config);
  const scenarios = parseScenarioList(config.scenarios).map(({ name }) => name);
  const progress = createProgress({ title: 'export', unit: 'variants', total: samples.length * scenarios.length });
  const interrupt = onInterrupt('Finishing the images in hand; the same command goes on from there');
  const summary = await exportFolds({
    dataset,
    samples,
    scenarios,
    folds: config.folds ?? defaultFolds,
    out,
    scripts: scripts(),
    version: version(),
    seed: config.seed,
    format: format as 'jpeg',
    quality,
    photographs: { ...photographOptions(config), longSidePx: size },
    backgrounds: config.backgrounds ? await listBackgrounds(config.backgrounds) : undefined,
    generated: config.generated,
    threads: threadsFrom(config.threads),
    maxErrors: config.maxErrors,
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
