import type { RunRecord } from '../contracts/run-record.ts';
import { processorFacts } from '../models/onnx/int8.ts';
import { needsOf } from '../scenarios/registry.ts';
import { countDecodeDifferences } from './decode-differences.ts';
import { findDoubtfulMasks } from './doubtful-masks.ts';
import { paints, searchesSurrogate } from './paint-ahead.ts';
import { paintingIdentity } from './painter.ts';
import type { Plan, PlanInput } from './plan.ts';
import { pluginsRecord } from './plugins/identity.ts';
import { countTrainedOn } from './trained-on.ts';

interface Described extends PlanInput {
  readonly threads: number;
  readonly config: unknown;
}

/** What a run and a training say alike of what they were given. */
export const describeInputs = (
  { version, config, seed, dataset, photographs }: DescribedInputs,
  { dataHash, plannedSamples }: { readonly dataHash: string; readonly plannedSamples: readonly unknown[] },
) => ({
  sceneshift: version,
  config,
  seed,
  data: {
    path: dataset.path,
    layout: dataset.layout,
    hash: dataHash,
    samples: plannedSamples.length,
    classes: dataset.classes,
  },
  photographs,
});

interface DescribedInputs extends Pick<PlanInput, 'version' | 'seed' | 'dataset' | 'photographs'> {
  readonly config: unknown;
}

/** Everything that decides a number. */
export async function describeRun(options: Described, plan: Plan) {
  const images = plan.plannedSamples.map(({ sample }) => sample.image);
  const trainedOn = await Promise.all(
    options.models.map(({ description }) => countTrainedOn(description.source, images)),
  );
  return {
    ...describeInputs(options, plan),
    scenarios: [...new Set(plan.conditions.map((condition) => condition.scenario))],
    models: options.models.map(({ description }, i) => ({
      name: description.name,
      kind: description.kind,
      source: description.source,
      identity: description.identity,
      parameters: description.parameters ?? null,
      preprocessing: description.preprocessing,
      labelsFrom: description.labelsFrom,
      ownOutputs: plan.models[i].map.own,
      ownNames: plan.models[i].map.own.map((output) => plan.models[i].map.names[output]),
      warnings: description.warnings,
      // A head that is tested on what it was trained on.
      ...(trainedOn[i] > 0 && { trainedOnThese: trainedOn[i] }),
    })),
    labelMap: options.labelMap ?? null,
    ...pluginsRecord(),
    conditions: Object.fromEntries(
      plan.conditions.map((condition) => [
        condition.hash,
        { model: plan.models[condition.model].name, scenario: condition.scenario, given: condition.given },
      ]),
    ),
    versions: { node: process.versions.node, platform: `${process.platform}-${process.arch}` },
    processor: processorFacts(),
    threads: options.threads,
    painting: await paintingRecord(options),
    decodeDifferences: await countDecodeDifferences(options.samples),
  };
}

/** Found after the run, since doubtful masks change how far the verdict can be trusted, not what is computed. */
export async function describeMasks(
  { scenarios, samples, photographs }: PlanInput,
  signal?: AbortSignal,
): Promise<RunRecord['doubtfulMasks']> {
  const needed = scenarios.some(({ scenario, params }) => needsOf(scenario, params).includes('mask'));
  return needed ? findDoubtfulMasks(samples, photographs, signal) : undefined;
}

/** What painted, and whom the adversarial backgrounds were searched against: every other model is held out. */
async function paintingRecord({ scenarios, generated, painting = {} }: Described): Promise<RunRecord['painting']> {
  if (!paints(scenarios, generated)) return undefined;
  const { surrogate, ...engine } = await paintingIdentity(painting);
  const searched = scenarios.filter(searchesSurrogate);
  const queries = Math.max(0, ...searched.map(({ params }) => Number(params.queries)));
  return { ...engine, surrogate: surrogate && searched.length ? { ...surrogate, queries } : null };
}
