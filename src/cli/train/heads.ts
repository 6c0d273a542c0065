import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import { expected, UserError } from '../../contracts/errors.ts';
import { terminalText } from '../../formats/escape.ts';
import { loadScoredRun } from '../../metrics/score-run.ts';
import { writeTrainedOn } from '../../run/trained-on.ts';
import { fitHeads } from '../../train/fit-heads.ts';
import { loadHead } from '../../train/head-store.ts';
import {
  computeShare,
  type TrainOptions,
  type TrainOutline,
  type TrainStage,
  type TrainSummary,
  trainHeads,
} from '../../train/train.ts';
import { writeHead } from '../../train/write-head.ts';
import { onInterrupt } from '../interrupt.ts';
import { partFrom } from '../shares/options.ts';
import { type FeatureChoices, featurePaths } from '../shares/train.ts';
import { printErrors } from '../ui/errors.ts';
import { print } from '../ui/output.ts';
import { createProgress, formatSeconds, type Progress } from '../ui/progress.ts';
import { remediesText } from '../ui/remedies-text.ts';
import { trainingText } from '../ui/training.ts';
import { compareRemediesOf } from './remedy-options.ts';
import { type TrainChoices, trainOptions } from './train-options.ts';
import type { TrainValues } from './values.ts';

/** What decides the features. */
const choicesOf = ({ layer, on, helps = false, salient, offline }: TrainChoices): FeatureChoices => ({
  ...{ layer, on, helps, offline },
  salient: salient !== undefined && existsSync(salient) ? resolve(salient) : salient,
});

/** Trains what the settings say, with its plan, progress and errors on standard error. Ctrl+C ends it with status 130. */
export async function trainConfig(
  config: Config,
  values: TrainChoices,
  { threadsOf, onProgress }: Pick<TrainOptions, 'threadsOf' | 'onProgress'> = {},
): Promise<{ options: TrainOptions; summary: TrainSummary }> {
  const options = await trainOptions(config, values);
  const interrupt = onInterrupt('Finishing what is in hand; the same command goes on from there');
  const bars = stageBars();
  const summary = await trainHeads({
    ...options,
    ...partOf(config, values, options, interrupt.signal),
    threadsOf,
    signal: interrupt.signal,
    onPlan: tell,
    onProgress: (...step) => {
      bars.update(...step);
      onProgress?.(...step);
    },
  }).finally(interrupt.done);
  bars.finish();
  printErrors(summary.errors);
  for (const warning of summary.warnings) process.stderr.write(terminalText(`! ${warning}\n`));
  if (summary.interrupted) throw new UserError('Interrupted; the same command goes on from here', { exitCode: 130 });
  return { options, summary };
}

const partOf = (
  config: Config,
  { root = '.', ...values }: TrainChoices,
  { out }: TrainOptions,
  signal: AbortSignal,
) => {
  const shared = { command: 'train', config, choices: choicesOf(values), paths: featurePaths, out, signal } as const;
  return partFrom({ ...values, root }, shared);
};

/** Features of a share of the samples; heads need all of them. */
async function trainShare(config: Config, values: TrainValues): Promise<void> {
  const options = await trainOptions(config, values);
  const interrupt = onInterrupt('Finishing what is in hand; the same command goes on from there');
  const bars = stageBars();
  const part = partOf(config, values, options, interrupt.signal);
  const progress = { signal: interrupt.signal, onProgress: bars.update };
  const { computed, total, errors, interrupted } = await computeShare({ ...options, ...part, ...progress }).finally(
    interrupt.done,
  );
  bars.finish();
  printErrors(errors);
  if (interrupted) throw new UserError('Interrupted; the same command goes on from here', { exitCode: 130 });
  const out = resolve(options.out);
  print(values.json, { out, computed, total, errors: errors.length }, () =>
    [
      `Features of share ${values.shard} are in ${out}: ${total} variants, ${computed} of them computed now`,
      'Join all shares with sceneshift merge; the same command without --shard then fits the heads',
    ].join('\n'),
  );
}

/** Heads trained here, on frozen features. */
export async function trainCommand(config: Config, values: TrainValues): Promise<void> {
  checkValues(config, values);
  if (values.shard !== undefined) return trainShare(config, values);
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
