import { SampleError } from '../contracts/errors.ts';
import type { ModelConfig } from '../contracts/model-config.ts';
import type { Sample } from '../contracts/sample.ts';
import type { BestAnswers } from '../contracts/studio/sample.ts';
import { chooseMethod } from '../explain/choose-method.ts';
import { explainVariant } from '../explain/explain-variant.ts';
import { openGraph } from '../explain/graph/open-graph.ts';
import { defaultSettings } from '../explain/options.ts';
import { drawOverlay } from '../explain/overlay.ts';
import { encodeImage } from '../image/encode.ts';
import type { Mask, Raster } from '../image/raster.ts';
import { shownLabel } from '../labels/imagenet-1k.ts';
import { resolveTargets } from '../labels/targets.ts';
import type { Model } from '../models/define.ts';
import { assumeClassOrder } from '../models/labels.ts';
import { describeModel, openModel } from '../models/open.ts';
import { locate } from '../models/spec.ts';
import { recordedConfig } from '../run/folder/index.ts';
import { outputMap } from '../run/plan.ts';
import { softmax } from '../stats/softmax.ts';
import { notFound, refused } from './errors.ts';
import type { OpenRun } from './open-runs.ts';

export interface VariantPixels {
  readonly image: Raster;
  readonly mask?: Mask;
}

/** A run's models, opened to be asked about single pictures. */
export interface LiveModels {
  best(sample: Sample, scenario: string, variant: VariantPixels): Promise<BestAnswers['best']>;
  /** The map as heat over the picture, the object's outline in white; WebP. */
  explain(sample: Sample, scenario: string, variant: VariantPixels): Promise<Uint8Array>;
  close(): Promise<void>;
}

const mapPx = 480;
/** Fewer steps and masks than `explain` takes: someone is waiting. */
const settings = { ...defaultSettings, steps: 4, masks: 600 };

/**
 * Opens one model of a run by its name. Networks alone: a program or an address that stands in a run's record was chosen by
 * whoever made the run, and a click must not start it.
 */
export async function openLiveModel(run: OpenRun, name: string): Promise<LiveModels> {
  const config = recordedConfig(await run.record());
  const scenes = await run.scenes();
  for (const spec of config?.models ?? []) {
    const kind = await kindOf(spec);
    if (kind !== 'onnx' && kind !== 'clip') {
      if (nameGuess(spec) === name)
        throw refused(`${name} is of kind ${kind}: only networks (ONNX files) are asked here`);
      continue;
    }
    const classes = [...new Set(scenes.samples.flatMap(({ label }) => (label === undefined ? [] : [label])))].sort();
    const found = await describeModel(spec, { offline: true, classes });
    if (found.name !== name) continue;
    const description = assumeClassOrder(found, classes);
    const targetsOf = (sample: Sample) => {
      try {
        return resolveTargets({ description, labelMap: config?.labelMap, sample });
      } catch (error) {
        if (error instanceof SampleError) return [];
        throw error;
      }
    };
    const { names } = outputMap(scenes.samples, description, scenes.samples.map(targetsOf));
    const model = await openModel(spec, { threads: 2, described: description });
    return live(model, names.map(shownLabel), targetsOf, scenes.init.seed);
  }
  throw notFound(`The run's settings name no model ${name} that could be opened`);
}

/** `onnx`, `clip`, …; `missing` where the file is gone. */
const kindOf = (spec: ModelConfig): Promise<string> =>
  locate(typeof spec === 'string' ? { model: spec } : spec, { offline: true }).then(
    ({ kind }) => kind.id,
    () => 'missing',
  );

const nameGuess = (spec: ModelConfig) =>
  (typeof spec === 'string' ? spec : (spec.name ?? spec.model)).replace(/^.*[/\\]|\.\w+$/g, '');

function live(
  model: Model,
  names: readonly string[],
  targetsOf: (sample: Sample) => readonly number[],
  seed: number,
): LiveModels {
  let tool: Promise<Awaited<ReturnType<typeof openTool>>> | undefined;
  return {
    async best(sample, scenario, { image }) {
      const question = { sample: sample.id, scenario, label: sample.label, width: image.width, height: image.height };
      const [answer] = await model.answer([await model.prepare(image)], [question]);
      if (answer.kind !== 'scores') throw notFound(`${model.name} does not answer with scores`);
      const probabilities = model.outputs === 'logits' ? softmax(answer.scores) : [...answer.scores];
      const targets = targetsOf(sample);
      return probabilities
        .map((probability, output) => ({
          probability,
          answer: names[output] ?? `output ${output}`,
          isTruth: targets.includes(output),
        }))
        .sort((a, b) => b.probability - a.probability)
        .slice(0, 5);
    },
    async explain(sample, scenario, { image, mask }) {
      tool ??= openTool(model);
      const { choice, graph } = await tool;
      const targets = targetsOf(sample);
      if (!targets.length) throw notFound(`${model.name} has no output for the label '${sample.label ?? ''}'`);
      const { map } = await explainVariant(
        { image, mask, sample: sample.id, scenario, label: sample.label, targets },
        { model, answer: (batch, questions) => model.answer(batch, questions), names, method: choice.method, graph },
        { seed, settings },
      );
      return encodeImage(drawOverlay({ image, mask, map, sizePx: mapPx }), { format: 'webp', quality: 82 });
    },
    async close() {
      await (await tool?.catch(() => undefined))?.graph?.close();
      await model.close();
    },
  };
}

async function openTool(model: Model) {
  const choice = await chooseMethod(model, { method: 'auto' });
  const graph =
    choice.spatial && (await openGraph(model, choice.spatial, { threads: 2, tail: choice.method === 'cam' }));
  return { choice, graph };
}
