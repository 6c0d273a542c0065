import { resolve } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import { expected, UserError } from '../../contracts/errors.ts';
import { readDataset } from '../../dataset/index.ts';
import { assignFolds, selectSamples } from '../../dataset/splits.ts';
import { scoreRun } from '../../metrics/score-run.ts';
import { describeModel } from '../../models/open.ts';
import { executeRun, type RunOutline } from '../../run/run.ts';
import { listBackgrounds } from '../../run/scene-pool.ts';
import { parseScenarioList } from '../../scenarios/name.ts';
import { defineCommand } from '../command.ts';
import { loadConfig } from '../config.ts';
import { onInterrupt } from '../interrupt.ts';
import { configOption, dataOptions, photographOptions, sceneOptions, threadsFrom, workOptions } from '../options.ts';
import { printErrors } from '../ui/errors.ts';
import { print } from '../ui/output.ts';
import { createProgress, formatSeconds } from '../ui/progress.ts';
import { scoreText } from '../ui/score.ts';
import { version } from '../version.ts';

export const run = defineCommand({
  name: 'run',
  summary: 'Run every model on every scenario; the same command continues where it stopped.',
  options: {
    data: { type: 'string', value: 'PATH', describe: 'image folder, manifest or dataset' },
    model: {
      type: 'string',
      value: 'MODEL',
      multiple: true,
      describe: 'ONNX file, Hugging Face id or folder, or kind:rest',
    },
    ...sceneOptions,
    out: { type: 'string', value: 'RUN', describe: 'the run folder' },
    limit: { type: 'number', describe: 'at most so many samples' },
    sample: { type: 'number', describe: 'so many samples of each class' },
    folds: { type: 'number', value: 'K', describe: 'stratified folds, stored with every row' },
    batch: { type: 'number', describe: 'variants in one call of a model' },
    offline: { type: 'boolean', describe: 'take models from the cache only' },
    ...dataOptions,
    ...workOptions,
    ...configOption,
  },
  examples: [
    'sceneshift run --data photos/ --model resnet50.onnx --scenarios ximagenet-12 --backgrounds plates/ --out runs/first',
    'sceneshift run            # everything from sceneshift.yaml',
  ],
  async run(values) {
    const config = await loadConfig(values.config, {
      data: values.data && resolve(values.data),
      layout: values.layout,
      masks: values.masks && resolve(values.masks),
      border: values.border,
      decode: values.decode,
      growMask: values['grow-mask'],
      models: values.model,
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
    if (!config.data) throw expected('a dataset', '--data', undefined);
    if (!config.models.length) throw expected('at least one model', '--model', undefined);
    const out = config.out ?? 'runs/latest';
    const say = (line: string) => process.stderr.write(`${line}\n`);

    const interrupt = onInterrupt('Finishing the shard in hand; the same command goes on from there');
    const progress = createProgress({ title: 'run', unit: 'answers', total: 0 });
    const summary = await execute(config, out, Boolean(values.offline), interrupt.signal, progress.update, (outline) =>
      tell(outline, say),
    ).finally(interrupt.done);
    progress.finish(
      `${summary.computed} answers in ${formatSeconds(summary.seconds)}, ${summary.rows} rows in ${summary.run}`,
    );
    printErrors(summary.errors);
    if (summary.interrupted) throw new UserError('Interrupted; the same command goes on from here', { exitCode: 130 });
    const score = await scoreRun(summary.run);
    print(
      values.json,
      { run: summary.run, rows: summary.rows, errors: summary.errors.length, seconds: summary.seconds, score },
      () => scoreText(score),
    );
  },
});

async function execute(
  config: Config,
  out: string,
  offline: boolean,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
  onPlan: (outline: RunOutline) => void,
) {
  const dataset = await readDataset(config.data as string, { layout: config.layout, masks: config.masks });
  const samples = selectSamples(dataset.samples, config);
  const folds = config.folds ? assignFolds(samples, { folds: config.folds, seed: config.seed }) : undefined;
  const given = dataset.samples.some((sample) => sample.scenario);
  const models = [];
  for (const spec of config.models)
    models.push({ spec, description: await describeModel(spec, { batch: config.batch, offline }) });
  return executeRun({
    dataset,
    samples,
    foldOf: (sample) => folds?.get(sample.id) ?? -1,
    models,
    labelMap: config.labelMap,
    scenarios: parseScenarioList(config.scenarios ?? (given ? 'original' : 'quick')),
    scenariosNamed: config.scenarios !== undefined,
    backgrounds: config.backgrounds ? await listBackgrounds(config.backgrounds) : undefined,
    generated: config.generated,
    seed: config.seed,
    photographs: photographOptions(config),
    version: version(),
    out,
    threads: threadsFrom(config.threads),
    batch: config.batch,
    offline,
    maxErrors: config.maxErrors,
    config,
    signal,
    onPlan,
    onProgress,
  });
}

function tell(
  { samples, scenarios, models, answers, found, variants, warnings }: RunOutline,
  say: (line: string) => void,
): void {
  for (const warning of warnings) say(`! ${warning}`);
  const left = found ? `${found} of ${answers} answers found, ${answers - found} to do` : `${answers} answers to come`;
  say(
    `${count(samples, 'sample')} × ${count(scenarios, 'scenario')} × ${count(models, 'model')}: ${left}${variants ? `, from ${count(variants, 'variant')}` : ''}`,
  );
}

const count = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;
