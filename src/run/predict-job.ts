import { SampleError } from '../contracts/errors.ts';
import type { ModelConfig } from '../contracts/model-config.ts';
import type { ErrorLine, PredictionRow } from '../contracts/prediction.ts';
import type { Sample } from '../contracts/sample.ts';
import type { SegmentationRow } from '../contracts/segmentation.ts';
import type { Mask } from '../image/raster.ts';
import type { Answer, Model, ModelDescription, Prepared } from '../models/define.ts';
import { openModel } from '../models/open.ts';
import { parseScenario } from '../scenarios/name.ts';
import { applyScenario, createSceneSource } from '../scenarios/scene.ts';
import { errorLine } from './error-budget.ts';
import { defineJob, type Host } from './jobs.ts';
import { loadPhotograph, type PhotographOptions } from './photograph.ts';
import { type OutputMap, toPredictionRow } from './rows.ts';
import { createScenePool } from './scene-pool.ts';
import { toSegmentationRows } from './segmentation-rows.ts';
import type { StoredRow } from './store.ts';

export interface JobModel {
  readonly spec: ModelConfig;
  readonly description: ModelDescription;
  readonly name: string;
  readonly task: 'classify' | 'segment';
  readonly map: OutputMap;
}

/** One model on one scenario: the unit of what can be asked for, computed and found again. */
export interface Unit {
  readonly hash: string;
  readonly model: number;
  readonly scenario: string;
  /** The images show the scenario already; nothing is edited. */
  readonly given: boolean;
}

export interface Entry {
  readonly sample: Sample;
  readonly source: string;
  readonly fold: number;
  /** Accepted outputs, per model; empty where the model does not know the label. */
  readonly targets: readonly (readonly number[])[];
}

export interface PredictInit {
  readonly entries: readonly Entry[];
  readonly units: readonly Unit[];
  readonly models: readonly JobModel[];
  readonly threadsPerModel: number;
  readonly batch?: number;
  readonly seed: number;
  readonly photographs: PhotographOptions;
  readonly backgrounds?: readonly string[];
  readonly generated?: string;
  readonly offline?: boolean;
}

/** A few samples, each with the units still missing for it. */
export interface PredictTask {
  readonly shard: number;
  readonly work: readonly { readonly entry: number; readonly units: readonly number[] }[];
}

export interface PredictResult {
  readonly predictions: StoredRow<PredictionRow>[];
  readonly segmentation: StoredRow<SegmentationRow>[];
  readonly errors: ErrorLine[];
}

interface Waiting {
  readonly unit: Unit;
  readonly entry: Entry;
  readonly prepared: Prepared;
  readonly mask: Mask | undefined;
  readonly size: { readonly width: number; readonly height: number };
}

export const predictJob = defineJob<PredictInit, PredictTask, PredictResult>({
  name: 'predict',
  async open(init, host) {
    const { entries, units, seed, photographs } = init;
    const models = await Promise.all(
      init.models.map(({ spec, description }) =>
        openModel(spec, {
          threads: init.threadsPerModel,
          batch: init.batch,
          offline: init.offline,
          described: description,
        }),
      ),
    );
    const pool = createScenePool({ ...init, samples: entries.map(({ sample }) => sample) });
    const scenarios = new Map(
      units.filter((unit) => !unit.given).map((unit) => [unit.scenario, parseScenario(unit.scenario)]),
    );

    return {
      async run({ work }) {
        const result: PredictResult = { predictions: [], segmentation: [], errors: [] };
        const queues = models.map((): Waiting[] => []);
        const flush = (model: number) =>
          answerAll(init.models[model], models[model], model, queues[model].splice(0), host, result);

        for (const { entry: index, units: missing } of work) {
          const entry = entries[index];
          const { sample } = entry;
          try {
            const photograph = await loadPhotograph(sample, photographs);
            const source = createSceneSource({ sample, ...photograph, seed, pool });
            for (const [scenario, wanted] of byScenario(missing.map((unit) => units[unit]))) {
              const at = { sample: sample.id, scenario };
              await collect(result.errors, at, async () => {
                const named = scenarios.get(scenario);
                const variant =
                  wanted[0].given || !named
                    ? photograph
                    : await applyScenario(named.scenario, source.scene(scenario), named.params);
                const mask = variant.mask ?? photograph.mask;
                for (const unit of wanted) {
                  await collect(result.errors, { ...at, model: init.models[unit.model].name }, async () => {
                    if (init.models[unit.model].task === 'classify' && !entry.targets[unit.model].length)
                      throw unknownLabel(sample, init.models[unit.model].name);
                    if (init.models[unit.model].task === 'segment' && !mask)
                      throw new SampleError('mask-missing', 'no mask to compare the segmentation with');
                    const prepared = await models[unit.model].prepare(variant.image);
                    const { width, height } = variant.image;
                    queues[unit.model].push({ unit, entry, prepared, mask, size: { width, height } });
                    if (queues[unit.model].length >= models[unit.model].batch) await flush(unit.model);
                  });
                }
              });
            }
          } catch (error) {
            result.errors.push(errorLine(error, { sample: sample.id }));
          }
        }
        for (const model of queues.keys()) await flush(model);
        return result;
      },
      async close() {
        await Promise.all(models.map((model) => model.close()));
      },
    };
  },
});

async function answerAll(
  { name, task, map }: JobModel,
  model: Model,
  index: number,
  waiting: Waiting[],
  host: Host,
  result: PredictResult,
): Promise<void> {
  if (!waiting.length) return;
  const batch = waiting.map(({ prepared }) => prepared);
  const questions = waiting.map(({ entry: { sample }, unit, size }) => ({
    sample: sample.id,
    scenario: unit.scenario,
    label: sample.label,
    ...size,
  }));
  const answers: Answer[] =
    model.runsIn === 'main' ? await host.ask(index, batch, questions) : await model.answer(batch, questions);
  for (const [i, { unit, entry, mask }] of waiting.entries()) {
    const { sample, source, fold } = entry;
    const at = { sample: sample.id, scenario: unit.scenario, model: name };
    await collect(result.errors, at, () => {
      const answer = answers[i];
      if (task === 'segment') {
        for (const row of toSegmentationRows(answer, {
          model: name,
          scenario: unit.scenario,
          sample,
          truth: mask as Mask,
          labels: map.names,
        })) {
          result.segmentation.push({ ...row, unit: unit.hash, source });
        }
        return;
      }
      const row = toPredictionRow(answer, {
        model: name,
        scenario: unit.scenario,
        sample,
        fold,
        targets: entry.targets[unit.model],
        map,
      });
      result.predictions.push({ ...row, unit: unit.hash, source });
    });
  }
}

async function collect(
  errors: ErrorLine[],
  at: { sample: string; scenario?: string; model?: string },
  act: () => void | Promise<void>,
) {
  try {
    await act();
  } catch (error) {
    errors.push(errorLine(error, at));
  }
}

const unknownLabel = ({ label }: Sample, model: string) =>
  new SampleError(
    'label-unknown',
    `${model} has no output for the label '${label ?? ''}'; give a label map in the config, or 'target' in the manifest`,
  );

function byScenario(units: readonly Unit[]): Map<string, Unit[]> {
  const grouped = new Map<string, Unit[]>();
  for (const unit of units) grouped.set(unit.scenario, [...(grouped.get(unit.scenario) ?? []), unit]);
  return grouped;
}
