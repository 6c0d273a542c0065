import { resolve } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import { expected, UserError } from '../../contracts/errors.ts';
import { loadScoredRun } from '../../metrics/score-run.ts';
import { openInputs } from '../../run/inputs.ts';
import { writeTrainedOn } from '../../run/trained-on.ts';
import { openBackbone } from '../../train/backbone.ts';
import { fitHeads } from '../../train/fit-heads.ts';
import { onScenarios } from '../../train/head-plan.ts';
import { loadHead } from '../../train/head-store.ts';
import {
  type TrainOptions,
  type TrainOutline,
  type TrainStage,
  type TrainSummary,
  trainHeads,
} from '../../train/train.ts';
import { writeHead } from '../../train/write-head.ts';
import { onInterrupt } from '../interrupt.ts';
import { printErrors } from '../ui/errors.ts';
import { print } from '../ui/output.ts';
import { createProgress, formatSeconds, type Progress } from '../ui/progress.ts';
import { remediesText } from '../ui/remedies-text.ts';
import { trainingText } from '../ui/training.ts';
import { version } from '../version.ts';
import { compareRemediesOf, remedyOptions } from './remedy-options.ts';
import type { TrainValues } from './values.ts';

/** As XIMAGENET-12 says. */
const defaultFolds = 12;

type TrainChoices = Partial<TrainValues> & Pick<TrainValues, 'on' | 'offline' | 'salient'>;

/** Trains what the settings say, with its plan, progress and errors on standard error. Ctrl+C ends it with status 130. */
export async function trainConfig(
  config: Config,
  values: TrainChoices,
): Promise<{ options: TrainOptions; summary: TrainSummary }> {
  const options = await trainOptions(config, values);
  const interrupt = onInterrupt('Finishing what is in hand; the same command goes on from there');
  const bars = stageBars();
  const summary = await trainHeads({
    ...options,
    signal: interrupt.signal,
    onPlan: tell,
    onProgress: bars.update,
  }).finally(interrupt.done);
  bars.finish();
  printErrors(summary.errors);
  if (summary.interrupted) throw new UserError('Interrupted; the same command goes on from here', { exitCode: 130 });
  return { options, summary };
}

/** Heads trained here, on frozen features. */
export async function trainCommand(config: Config, values: TrainValues): Promise<void> {
  checkValues(config, values);
  const { options, summary } = await trainConfig(config, values);
  const written = values['write-head'] ? await writeChosen(options, summary, values) : undefined;
  const helps = values.helps ? await compareRemediesOf(options, summary) : undefined;
  const scored = await loadScoredRun(summary.run);
  const { report } = await (await import('../../report/index.ts')).writeReport(summary.run, scored);
  const { run, backbone, layer, features, folds, scenarios, matrix, differences, rows, computed } = summary;
  const result = {
    run,
    backbone,
    layer,
    features,
    folds,
    scenarios,
    matrix,
    differences,
    score: scored.score,
    rows,
    computed,
    errors: summary.errors.length,
    seconds: summary.seconds,
    ...(written && { written }),
    ...(helps && { helps }),
    report,
  };
  print(values.json, result, () =>
    [
      trainingText(summary, scored.score),
      ...(helps ? [remediesText(helps)] : []),
      ...(written ? [`Head written: ${written.join(', ')}`] : []),
      `Report: ${report}`,
    ].join('\n\n'),
  );
}

function checkValues(config: Config, { strength, head, 'write-head': out }: TrainValues): void {
  if (!config.models.length) throw expected('an ONNX classifier', '--backbone', undefined);
  if (config.models.length > 1)
    throw expected('one backbone', 'models in the config', config.models.length, 'choose it with --backbone');
  if (strength !== undefined && !(strength > 0)) throw expected('a positive number', '--strength', strength);
  if (out !== undefined && !/\.onnx$/i.test(out)) throw expected('a file that ends in .onnx', '--write-head', out);
  if (head !== undefined && out === undefined) throw expected('--write-head OUT.onnx as well', '--head', head);
}

async function trainOptions(config: Config, values: TrainChoices): Promise<TrainOptions> {
  const backbone = await openBackbone(config.models[0], {
    layer: values.layer,
    batch: config.batch,
    offline: values.offline,
  });
  const folds = config.folds ?? defaultFolds;
  // Folds of a training keep more together than those of a run, so they are planned there.
  const inputs = await openInputs(
    { ...config, folds: undefined },
    { version: version(), offline: values.offline, models: 'none', moreScenarios: onScenarios(values.on) },
  );
  return {
    ...inputs,
    classes: [...new Set(inputs.samples.flatMap(({ label }) => (label === undefined ? [] : [label])))].sort(),
    folds,
    backbone,
    out: config.out ?? 'runs/train',
    on: values.on,
    ...(values.helps && (await remedyOptions(values, inputs))),
    strength: values.strength,
    layer: values.layer,
    config: { ...config, folds },
  };
}

/** The head asked for, trained on all images. */
async function writeChosen(
  { backbone, classes, strength, threads }: TrainOptions,
  { run, plan, computedFeatures, heads }: TrainSummary,
  values: TrainValues,
): Promise<string[]> {
  const name = values.head ?? 'original';
  const head = heads.find((each) => each.name === name);
  if (!head) throw expected(`one of ${heads.map((each) => each.name).join(', ')}`, '--head', name);
  const { store } = computedFeatures;
  const [fitted] = await fitHeads({ run, plan, store, heads: [head], classes, strength, held: [-1], threads });
  const trained = await loadHead(run, fitted.keys[0]);
  const out = resolve(values['write-head'] as string);
  const files = await writeHead({ backbone, head: trained.head, classes, trained: name, out });
  // So that a later run can say when it tests the head on what it has seen.
  return [
    ...files,
    await writeTrainedOn(
      out,
      plan.plannedSamples.map(({ sample }) => sample.image),
    ),
  ];
}

function tell({ samples, classes, scenarios, heads, folds, layer, features, warnings }: TrainOutline): void {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  for (const warning of warnings) say(`! ${warning}`);
  say(
    `${samples} samples of ${classes} classes × ${scenarios} scenarios; ${heads} heads × ${folds} folds on ${features} features of '${layer}'`,
  );
}

const stages: Record<TrainStage, string> = { features: 'variants', heads: 'heads', answers: 'cells' };

/** A bar for each stage, one after the other. */
function stageBars() {
  let current: { stage: TrainStage; bar: Progress; started: number; count: number } | undefined;
  const finish = () => {
    if (!current) return;
    const { bar, started, count, stage } = current;
    bar.finish(`${count} ${stages[stage]} in ${formatSeconds((performance.now() - started) / 1000)}`);
    current = undefined;
  };
  return {
    finish,
    update(stage: TrainStage, done: number, total: number) {
      if (current?.stage !== stage) {
        finish();
        const bar = createProgress({ title: stage, noun: stages[stage], total });
        current = { stage, bar, started: performance.now(), count: 0 };
      }
      current.count = done;
      current.bar.update(done, total);
    },
  };
}
