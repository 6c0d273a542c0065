import type { RunRecord } from '../contracts/run-record.ts';
import { processorFacts } from '../models/onnx/int8.ts';
import { needsOf } from '../scenarios/registry.ts';
import { canonicalJson } from './hash.ts';
import { type DataFindings, lookThrough } from './look-through.ts';
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
  };
}

const needsMasks = ({ scenarios }: PlanInput): boolean =>
  scenarios.some(({ scenario, params }) => needsOf(scenario, params).includes('mask'));

/** Found beside the answers, since it changes how far the verdict can be trusted, not what is computed. */
export const findingsOf = (
  options: PlanInput & { readonly threads: number },
  signal: AbortSignal,
): Promise<DataFindings> => {
  const { samples, photographs, threads } = options;
  return lookThrough(samples, { photographs, masks: needsMasks(options), threads, signal });
};

/** What an earlier call found of the same pictures and masks, read in the same way. */
export function earlierFindings(
  options: PlanInput,
  before: RunRecord | undefined,
  now: Awaited<ReturnType<typeof describeRun>>,
): DataFindings | undefined {
  const isSame =
    before?.data?.hash === now.data.hash &&
    before.sceneshift === now.sceneshift &&
    canonicalJson(before.photographs) === canonicalJson(now.photographs);
  if (!isSame || !before.decodeDifferences) return undefined;
  const { decodeDifferences, doubtfulMasks } = before;
  if (!needsMasks(options)) return { decodeDifferences };
  return doubtfulMasks && { decodeDifferences, doubtfulMasks };
}

/** What painted, and whom the adversarial backgrounds were searched against: every other model is held out. */
async function paintingRecord({ scenarios, generated, painting = {} }: Described): Promise<RunRecord['painting']> {
  if (!paints(scenarios, generated)) return undefined;
  const { surrogate, ...engine } = await paintingIdentity(painting);
  const searched = scenarios.filter(searchesSurrogate);
  const queries = Math.max(0, ...searched.map(({ params }) => Number(params.queries)));
  return { ...engine, surrogate: surrogate && searched.length ? { ...surrogate, queries } : null };
}
