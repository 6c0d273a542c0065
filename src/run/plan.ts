import { SampleError, UserError } from '../contracts/errors.ts';
import type { ModelConfig } from '../contracts/model-config.ts';
import type { Dataset, Sample } from '../contracts/sample.ts';
import { describeMaskCoverage, maskCoverage } from '../dataset/mask-coverage.ts';
import { type LabelMap, resolveTargets } from '../labels/targets.ts';
import { describeUnmatched, unmatchedClasses } from '../labels/unmatched.ts';
import type { ModelDescription } from '../models/define.ts';
import { assumeClassOrder } from '../models/labels.ts';
import type { Need } from '../scenarios/define.ts';
import type { NamedScenario } from '../scenarios/name.ts';
import { needsOf } from '../scenarios/registry.ts';
import { hashJson } from './hash.ts';
import { searchesSurrogate } from './paint-ahead.ts';
import type { PaintingOptions } from './painting-options.ts';
import type { PhotographOptions } from './photograph.ts';
import { codeOfModel, codeOfScenario } from './plugins/identity.ts';
import type { Condition, JobModel, PlannedSample } from './predict-job.ts';
import type { OutputMap } from './rows.ts';
import { hashPools, hashSample, hashSources, poolsFor } from './sample-hashes.ts';

export interface PlanInput {
  readonly dataset: Dataset;
  readonly samples: readonly Sample[];
  readonly foldOf: (sample: Sample) => number;
  readonly models: readonly { readonly spec: ModelConfig; readonly description: ModelDescription }[];
  readonly labelMap?: LabelMap;
  readonly scenarios: readonly NamedScenario[];
  /** The user named the scenarios: images that show another one already are left out. */
  readonly scenariosNamed: boolean;
  readonly backgrounds?: readonly string[];
  readonly generated?: string;
  /** What paints backgrounds; the embedded model where left out. */
  readonly painting?: PaintingOptions;
  readonly seed: number;
  /** Share of samples that may fail. */
  readonly maxErrors?: number;
  readonly photographs: PhotographOptions;
  readonly version: string;
}

export interface Plan {
  readonly plannedSamples: readonly PlannedSample[];
  readonly models: readonly JobModel[];
  readonly conditions: readonly Condition[];
  /** What should be said once before the work starts. */
  readonly warnings: readonly string[];
  /** Hash of the images, masks and labels together. */
  readonly dataHash: string;
  /** Every (sample, condition) there is to answer. */
  readonly wanted: readonly (readonly number[])[];
}

/** What is to be done, checked before any work: labels that fit no model, scenarios without masks, two models of one name. */
export async function makePlan(input: PlanInput): Promise<Plan> {
  const { samples, scenarios, models } = input;
  const photographs = samples.filter((sample) => !sample.scenario);
  checkNames(models.map(({ description }) => description.name));
  const maskWarnings = checkMasks(photographs, scenarios, input.maxErrors);
  checkBackgrounds(photographs, scenarios, input);

  const descriptions = models.map(({ description }) => assumeClassOrder(description, input.dataset.classes));
  const targets = samples.map((sample) =>
    descriptions.map((description) => targetsOf(sample, description, input.labelMap)),
  );
  const jobModels = models.map(({ spec }, m): JobModel => {
    const description = descriptions[m];
    const task = description.kind === 'segmenter' ? 'segment' : 'classify';
    const ofModel = targets.map((perModel) => perModel[m]);
    if (task === 'classify' && !ofModel.some((known) => known.length))
      throw new UserError(noLabelFits(input.dataset, samples, description, input.labelMap));
    return { spec, description, name: description.name, task, map: outputMap(samples, description, ofModel) };
  });

  const fileHashes = await hashSources(samples);
  const plannedSamples = samples.map((sample, i): PlannedSample => {
    const fold = input.foldOf(sample);
    return { sample, fold, targets: targets[i], sampleHash: hashSample(sample, fileHashes, { fold }) };
  });

  const dataHash = hashJson(plannedSamples.map(({ sampleHash }) => sampleHash).sort());
  const pools = await hashPools(input, dataHash);
  const conditions: Condition[] = [];
  const conditionIndex = new Map<string, number>();
  const conditionFor = (model: number, scenario: string, given: boolean, needs: readonly Need[]): number => {
    const key = `${model} ${given} ${scenario}`;
    const known = conditionIndex.get(key);
    if (known !== undefined) return known;
    const { name, map } = jobModels[model];
    const hash = hashJson({
      model: { name, identity: descriptions[model].identity },
      answers: acceptedBy(samples, targets, model),
      own: map.own,
      names: map.own.map((output) => map.names[output]),
      scenario,
      given,
      seed: input.seed,
      photographs: input.photographs,
      pool: poolsFor(needs, pools),
      version: input.version,
      ...codeOfModel(descriptions[model]),
      ...(!given && codeOfScenario(scenario)),
    });
    conditionIndex.set(key, conditions.push({ hash, model, scenario, given }) - 1);
    return conditions.length - 1;
  };
  const wantedScenarios = new Set(scenarios.map(({ name }) => name));
  const wanted = samples.map((sample) =>
    models.flatMap((_, m) => {
      if (sample.scenario)
        return !input.scenariosNamed || wantedScenarios.has(sample.scenario)
          ? [conditionFor(m, sample.scenario, true, [])]
          : [];
      return scenarios.map(({ scenario, params, name }) => {
        const needs = needsOf(scenario, params);
        return conditionFor(m, name, false, needs);
      });
    }),
  );
  const warnings = [
    ...maskWarnings,
    ...descriptions.flatMap((description) => [
      ...description.warnings.map((warning) => `${description.name}: ${warning}`),
      ...unmatchedWarning(samples, description, input.labelMap),
    ]),
  ];
  return { plannedSamples, models: jobModels, conditions, warnings, dataHash, wanted };
}

function targetsOf(sample: Sample, description: ModelDescription, labelMap: LabelMap | undefined): number[] {
  if (description.kind === 'segmenter') return [];
  try {
    return resolveTargets({ description, labelMap, sample });
  } catch (error) {
    if (error instanceof SampleError) return [];
    throw error;
  }
}

/** Which outputs are right for which label: what the label map and the model's labels come to. */
function acceptedBy(samples: readonly Sample[], targets: readonly (readonly number[][])[], model: number): string[] {
  const accepted = samples.map(({ label, targets: given }, i) => JSON.stringify([label, given, targets[i][model]]));
  return [...new Set(accepted)].sort();
}

/** Every output of a model by the dataset's word for it, where one label alone accepts it. */
export function outputMap(
  samples: readonly Sample[],
  { outputs, labels, outputCount }: ModelDescription,
  targets: readonly (readonly number[])[],
): OutputMap {
  const words = new Map<number, string | undefined>();
  for (const [i, { label }] of samples.entries()) {
    // An output that two labels of the dataset accept has no one word of theirs.
    for (const target of targets[i])
      words.set(target, words.has(target) && words.get(target) !== label ? undefined : label);
  }
  const nameOf = (output: number) => words.get(output) ?? labels?.[output]?.split(',')[0].trim() ?? `output ${output}`;
  const count = outputCount ?? labels?.length ?? 0;
  return {
    outputs,
    own: [...words.keys()].sort((a, b) => a - b),
    names: Array.from({ length: count }, (_, output) => nameOf(output)),
  };
}

function noLabelFits(
  { notes }: Pick<Dataset, 'notes'>,
  samples: readonly Sample[],
  description: ModelDescription,
  labelMap: LabelMap | undefined,
): string {
  const labels = [...new Set(samples.map((sample) => sample.label ?? '(none)'))];
  const unmatched = unmatchedClasses(samples, { description, labelMap });
  const misspelt = notes.filter((note) => /is it '(label|target)'\?$/.test(note));
  const reason = unmatched[0]?.reason ?? ['the samples have no label and no target', ...misspelt].join('; ');
  const advice = describeUnmatched(unmatched, description.name).slice(1);
  return [
    `None of the dataset's ${labels.length} labels (${labels.slice(0, 3).join(', ')}${labels.length > 3 ? ', …' : ''}) fits ${description.name}: ${reason}`,
    ...advice,
  ].join('\n');
}

/** Classes that will cost their samples, said before any work, with what to write to mend it. */
function unmatchedWarning(
  samples: readonly Sample[],
  description: ModelDescription,
  labelMap: LabelMap | undefined,
): string[] {
  if (description.kind === 'segmenter') return [];
  const lines = describeUnmatched(unmatchedClasses(samples, { description, labelMap }), description.name);
  return lines.length ? [lines.join('\n')] : [];
}

function checkNames(names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice)
    throw new UserError(
      `Two models are called '${twice}'; give one of them another name in the config ({ model: …, name: … })`,
    );
}

/** Ends what cannot begin for want of masks; else says which images will be left out. */
function checkMasks(photographs: readonly Sample[], scenarios: readonly NamedScenario[], maxErrors = 1): string[] {
  const needing = scenarios.filter(({ scenario, params }) => needsOf(scenario, params).includes('mask'));
  if (!needing.length || !photographs.length) return [];
  const coverage = maskCoverage(photographs, maxErrors);
  if (!coverage.without) return [];
  if (coverage.without < photographs.length) {
    const sentence = describeMaskCoverage(coverage, maxErrors);
    if (coverage.stops) throw new UserError(sentence);
    return [sentence];
  }
  const names = `${needing
    .map(({ name }) => name)
    .slice(0, 4)
    .join(', ')}${needing.length > 4 ? ' and others' : ''}`;
  throw new UserError(
    photographs.some(({ protect }) => protect)
      ? `The masks mark the defects, not where the part is, which ${names} must know; make masks of the parts with sceneshift mask and give them with --masks, or choose other scenarios`
      : `No sample has a mask, which ${names} need; make masks with sceneshift mask, or choose scenarios that need none`,
  );
}

function checkBackgrounds(
  photographs: readonly Sample[],
  scenarios: readonly NamedScenario[],
  { backgrounds, painting }: PlanInput,
): void {
  const needs = scenarios.flatMap(({ scenario, params, name }) =>
    needsOf(scenario, params).map((need) => ({ need, name })),
  );
  const searched = scenarios.find((named) => searchesSurrogate(named));
  if (searched && !painting?.surrogate)
    throw new UserError(
      `${searched.name} is searched against a surrogate, and there is no model to be one; give --model`,
    );
  const background = needs.find(({ need }) => need === 'backgrounds');
  const classes = new Set(photographs.map((sample) => sample.label));
  if (background && !backgrounds && classes.size < 2) {
    throw new UserError(
      `${background.name} needs backgrounds, and with ${classes.size === 1 ? 'one class' : 'no labels'} none can be taken from the dataset; give --backgrounds DIR`,
    );
  }
}
