import type { Config } from '../contracts/config.ts';
import { UserError } from '../contracts/errors.ts';
import { readDataset } from '../dataset/index.ts';
import { assignFolds, selectSamples } from '../dataset/splits.ts';
import { describeModel } from '../models/open.ts';
import { renderPictures } from '../run/pictures.ts';
import { executeRun, type RunOutline, type RunSummary } from '../run/run.ts';
import { listBackgrounds } from '../run/scene-pool.ts';
import { parseScenarioList } from '../scenarios/name.ts';
import { withPasteBack } from '../scenarios/with-controls.ts';
import { onInterrupt } from './interrupt.ts';
import { photographOptions, threadsFrom } from './options.ts';
import { paintingOf, paintingProgress } from './painting.ts';
import { printErrors } from './ui/errors.ts';
import { createProgress, formatSeconds } from './ui/progress.ts';
import { version } from './version.ts';

/** Runs what the settings say, with its plan, progress and errors on standard error. Ctrl+C ends it with status 130. */
export async function runConfig(
  config: Config,
  { out, offline = false }: { out: string; offline?: boolean },
): Promise<RunSummary> {
  const interrupt = onInterrupt('Finishing the shard in hand; the same command goes on from there');
  const progress = createProgress({ title: 'run', unit: 'answers', total: 0 });
  const summary = await execute(config, out, offline, interrupt.signal, progress.update).finally(interrupt.done);
  progress.finish(
    `${summary.computed} answers in ${formatSeconds(summary.seconds)}, ${summary.rows} rows in ${summary.run}`,
  );
  printErrors(summary.errors);
  if (summary.interrupted) throw new UserError('Interrupted; the same command goes on from here', { exitCode: 130 });
  return summary;
}

async function execute(
  config: Config,
  out: string,
  offline: boolean,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
) {
  const dataset = await readDataset(config.data as string, {
    layout: config.layout,
    masks: config.masks,
    objects: config.objects,
    labelFrom: config.labelFrom,
  });
  const samples = selectSamples(dataset.samples, config);
  const folds = config.folds ? assignFolds(samples, { folds: config.folds, seed: config.seed }) : undefined;
  const given = dataset.samples.some((sample) => sample.scenario);
  const models = [];
  for (const spec of config.models)
    models.push({
      spec,
      description: await describeModel(spec, { batch: config.batch, offline, classes: dataset.classes }),
    });
  const scenarios = withPasteBack(parseScenarioList(config.scenarios ?? (given ? 'original' : 'quick')));
  const scene = {
    backgrounds: config.backgrounds ? await listBackgrounds(config.backgrounds) : undefined,
    generated: config.generated,
    painting: paintingOf(config, models),
    seed: config.seed,
    photographs: photographOptions(config),
    threads: threadsFrom(config.threads),
  };
  const summary = await executeRun({
    ...scene,
    dataset,
    samples,
    foldOf: (sample) => folds?.get(sample.id) ?? -1,
    models,
    labelMap: config.labelMap,
    scenarios,
    scenariosNamed: config.scenarios !== undefined,
    version: version(),
    out,
    batch: config.batch,
    offline,
    maxErrors: config.maxErrors,
    config,
    signal,
    onPlan: tell,
    onProgress,
    onPainted: paintingProgress(),
  });
  if (!summary.interrupted)
    await renderPictures({ ...scene, run: summary.run, samples, scenarios: scenarios.map(({ name }) => name) });
  return summary;
}

function tell({ samples, scenarios, models, answers, found, variants, warnings }: RunOutline): void {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  for (const warning of warnings) say(`! ${warning}`);
  const left = found ? `${found} of ${answers} answers found, ${answers - found} to do` : `${answers} answers to come`;
  say(
    `${count(samples, 'sample')} × ${count(scenarios, 'scenario')} × ${count(models, 'model')}: ${left}${variants ? `, from ${count(variants, 'variant')}` : ''}`,
  );
}

const count = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;
