import { join, resolve } from 'node:path';
import { expected, UserError } from '../../contracts/errors.ts';
import {
  type BaselineKind,
  baselineKinds,
  type ExplainedClass,
  explainedClasses,
  type SaliencyMethod,
  saliencyMethods,
} from '../../contracts/saliency.ts';
import { type ExplainOutline, explainRun } from '../../explain/explain.ts';
import { defaultSettings, type ExplainSettings } from '../../explain/options.ts';
import { readSaliency, type Saliency } from '../../explain/read.ts';
import type { ModelPair } from '../../explain/summary/compare-reliance.ts';
import { summariseSaliency } from '../../explain/summary/summarise.ts';
import { threadsFrom } from '../../run/inputs.ts';
import { defineCommand, type Option, type Values } from '../command.ts';
import { type FinishedRun, readFinishedRun } from '../finished-run.ts';
import { onInterrupt } from '../interrupt.ts';
import { workOptions } from '../options.ts';
import { type ExplainChoices, explainPaths, explainSettings } from '../shares/explain.ts';
import { partFrom, shareOptions } from '../shares/options.ts';
import { printErrors } from '../ui/errors.ts';
import { print } from '../ui/output.ts';
import { createProgress, formatSeconds } from '../ui/progress.ts';
import { saliencyText } from '../ui/saliency.ts';
import { version } from '../version.ts';

const options = {
  samples: { type: 'string', value: 'LIST', multiple: true, describe: 'samples by name, separated by commas' },
  flipped: { type: 'boolean', describe: 'samples whose answer turned from right to wrong under a scenario' },
  random: { type: 'number', describe: 'so many samples, drawn from the classes in turn; with --flipped, of those' },
  'per-class': {
    type: 'number',
    value: 'N',
    describe: 'so many samples of each class (default 5, at most 120 in all)',
  },
  scenarios: { type: 'string', value: 'LIST', multiple: true, describe: "some of the run's scenarios (default all)" },
  models: { type: 'string', value: 'LIST', multiple: true, describe: "some of the run's models (default all)" },
  method: {
    type: 'string',
    choices: ['auto', ...saliencyMethods],
    default: 'auto',
    describe: 'auto: CAM where it is exact, else Score-CAM where the graph can be read, else RISE',
  },
  layer: { type: 'string', value: 'NAME', describe: 'value in the ONNX graph to take as activations; found by itself' },
  class: {
    type: 'string',
    choices: explainedClasses,
    default: defaultSettings.explained,
    describe: 'whose score is explained: the right class, or the one the model names',
  },
  baseline: {
    type: 'string',
    choices: baselineKinds,
    default: defaultSettings.baseline,
    describe: 'what removed pixels become; mean is the colour that is zero to the network',
  },
  masks: {
    type: 'number',
    default: defaultSettings.masks,
    describe: 'RISE: masks at most; Score-CAM: channels at most',
  },
  cells: { type: 'number', default: defaultSettings.cells, describe: 'RISE: cells along each side of a mask' },
  converge: {
    type: 'number',
    value: 'R',
    default: defaultSettings.converge,
    describe: "RISE: stop once the map's reliability is so high; 1 uses all masks",
  },
  patch: {
    type: 'number',
    value: 'SHARE',
    default: defaultSettings.patch,
    describe: "occlusion: the patch's side, as a share of the shorter side",
  },
  stride: {
    type: 'number',
    value: 'SHARE',
    default: defaultSettings.stride,
    describe: 'occlusion: how far the patch moves, as such a share',
  },
  steps: { type: 'number', default: defaultSettings.steps, describe: 'steps of the deletion and insertion curves' },
  compare: {
    type: 'string',
    value: 'A=B,…',
    multiple: true,
    describe: 'pairs of models to hold against each other over the same variants',
  },
  out: { type: 'string', value: 'DIR', describe: 'write saliency/ there instead of into the run' },
  offline: { type: 'boolean', describe: 'take models from the cache only' },
  ...shareOptions,
  ...workOptions,
} as const satisfies Record<string, Option>;

export const explain = defineCommand({
  name: 'explain',
  summary: 'Where do the models look? Saliency maps of samples of a run, and what they say in numbers.',
  args: ['RUN'],
  options,
  examples: [
    'sceneshift explain runs/first',
    'sceneshift explain runs/first --flipped --scenarios original,random-background',
    'sceneshift explain runs/first --method rise --masks 4000 --random 60 --json',
    'sceneshift explain runs/first --compare biased=fair',
  ],
  async run(values, [folder]) {
    const settings = settingsFrom(values);
    const run = await readFinishedRun(folder);
    const wantedModels = namesFrom(values.models, run.models, '--models');
    const scenarios = namesFrom(values.scenarios, run.scenarios, '--scenarios');
    const choices: ExplainChoices = {
      run: run.folder,
      models: wantedModels,
      scenarios: scenarios.length ? scenarios : [...run.scenarios],
      wanted: {
        samples: values.samples.flatMap((list) => list.split(',')).filter(Boolean),
        flipped: values.flipped,
        random: count(values.random, '--random'),
        perClass: count(values['per-class'], '--per-class'),
      },
      method: values.method as SaliencyMethod | 'auto',
      layer: values.layer,
      settings,
      offline: values.offline,
    };
    const inputs = await explainSettings(run.config, choices, version());
    if (!inputs.models.length)
      throw new UserError(`None of the models of ${folder} is in its settings any more: ${run.models.join(', ')}`);
    const names = inputs.models.map(({ description }) => description.name);
    const pairs = pairsFrom(values.compare, names);
    const out = resolve(values.out ?? run.folder);
    const progress = createProgress({ title: 'explain', noun: 'maps', total: 0 });
    const interrupt = onInterrupt('Finishing the samples in hand; the same command goes on from there');
    const shared = { command: 'explain', config: run.config, choices, paths: explainPaths, out } as const;
    const part = partFrom(values, { ...shared, signal: interrupt.signal });
    const summary = await explainRun({
      ...inputs,
      ...part,
      out,
      threads: threadsFrom(values.threads ?? run.config.threads),
      maxErrors: values['max-errors'] ?? run.config.maxErrors,
      signal: interrupt.signal,
      onPlan: (outline) => tell(outline, run),
      onProgress: progress.update,
    }).finally(interrupt.done);
    progress.finish(
      `${summary.computed} maps in ${formatSeconds(summary.seconds)}; pictures in ${join(summary.out, 'pictures')}`,
    );
    printErrors(summary.errors);
    if (summary.interrupted) throw new UserError('Interrupted; the same command goes on from here', { exitCode: 130 });
    const saliency = (await readSaliency(out)) as Saliency;
    const numbers = summariseSaliency(saliency, { pairs });
    const { out: written, errors, seconds } = summary;
    const report = out === run.folder ? await rewrittenReport(out) : null;
    print(values.json, { out: written, errors: errors.length, seconds, ...numbers, rows: saliency.rows, report }, () =>
      [
        ...(part.share
          ? [
              `Share ${values.shard} alone; join all of them with sceneshift merge, then the same command without --shard`,
            ]
          : []),
        saliencyText(numbers),
        ...(report ? [`Report: ${report}`] : []),
      ].join('\n\n'),
    );
  },
});

async function rewrittenReport(run: string): Promise<string> {
  const { writeReport } = await import('../../report/index.ts');
  return (await writeReport(run)).report;
}

function settingsFrom(values: Values<typeof options>): ExplainSettings {
  const share = (name: 'patch' | 'stride' | 'converge') => {
    if (!(values[name] > 0 && values[name] <= 1))
      throw expected('a number above 0, 1 at most', `--${name}`, values[name]);
    return values[name];
  };
  const whole = (name: 'masks' | 'cells' | 'steps', least: number) => {
    if (!Number.isInteger(values[name]) || values[name] < least)
      throw expected(`a whole number, ${least} or more`, `--${name}`, values[name]);
    return values[name];
  };
  return {
    explained: values.class as ExplainedClass,
    baseline: values.baseline as BaselineKind,
    steps: whole('steps', 2),
    masks: whole('masks', 2),
    cells: whole('cells', 2),
    converge: share('converge'),
    patch: share('patch'),
    stride: share('stride'),
  };
}

function count(given: number | undefined, option: string): number | undefined {
  if (given === undefined || (Number.isInteger(given) && given > 0)) return given;
  throw expected('a whole number, 1 or more', option, given);
}

function namesFrom(given: readonly string[], known: readonly string[], option: string): string[] {
  const names = given.flatMap((list) => list.split(',')).filter(Boolean);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown) throw expected(`one of ${known.join(', ')}`, option, unknown);
  return names;
}

/** `A=B`; a model's name may hold an equals sign, so every split is tried. */
function pairsFrom(given: readonly string[], models: readonly string[]): ModelPair[] {
  return given
    .flatMap((list) => list.split(','))
    .filter(Boolean)
    .map((text) => {
      const parts = text.split('=');
      for (let at = 1; at < parts.length; at++) {
        const [first, second] = [parts.slice(0, at).join('='), parts.slice(at).join('=')];
        if (models.includes(first) && models.includes(second)) return { first, second };
      }
      throw expected(`A=B with two of ${models.join(', ')}`, '--compare', text);
    });
}

function tell({ index, variants, found, dataHash, warnings }: ExplainOutline, run: FinishedRun): void {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  for (const warning of warnings) say(`! ${warning}`);
  if (run.dataHash && run.dataHash !== dataHash)
    say('! The images, masks or labels are not those of the run any more; the maps are of what is there now');
  for (const { model, method, layer, why } of index.models)
    say(`${model}: ${method}${layer ? ` at ${layer}` : ''} (${why})`);
  say(
    `${index.selection.words}: ${variants} maps${found ? `, ${found} found, ${variants - found} to do` : ' to come'}`,
  );
}
