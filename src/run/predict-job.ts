import { SampleError } from '../contracts/errors.ts';
import type { ModelConfig } from '../contracts/model-config.ts';
import type { ErrorLine, PredictionRow } from '../contracts/prediction.ts';
import type { PublishedRow } from '../contracts/published.ts';
import type { Sample } from '../contracts/sample.ts';
import type { SegmentationRow } from '../contracts/segmentation.ts';
import type { Mask } from '../image/raster.ts';
import { loadSharp } from '../image/sharp.ts';
import type { Answer, Model, ModelDescription, Prepared } from '../models/define.ts';
import { answerBatch } from './answer-batch.ts';
import { collectErrors } from './error-budget.ts';
import type { StoredRow } from './folder/index.ts';
import { defineJob, type Host, Interrupted } from './jobs.ts';
import { type ModelsToOpen, type OpenedEarly, openModels, openModelsEarly } from './open-models.ts';
import type { Photograph } from './photograph.ts';
import { createPreparations, type Preparations } from './preparations.ts';
import { toPublishedRow } from './published-rows.ts';
import { readAhead } from './read-ahead.ts';
import { type OutputMap, toPredictionRow } from './rows.ts';
import type { SceneSettings } from './scene-pool.ts';
import { toSegmentationRows } from './segmentation-rows.ts';
import { createVariantMaker, forEachVariant } from './variants.ts';

export interface JobModel {
  readonly spec: ModelConfig;
  readonly description: ModelDescription;
  readonly name: string;
  readonly task: 'classify' | 'segment';
  readonly map: OutputMap;
}

/** One model on one scenario: the condition of what can be asked for, computed and found again. */
export interface Condition {
  readonly hash: string;
  readonly model: number;
  readonly scenario: string;
  /** The images show the scenario already; nothing is edited. */
  readonly given: boolean;
}

export interface PlannedSample {
  readonly sample: Sample;
  readonly sampleHash: string;
  readonly fold: number;
  /** Accepted outputs, per model; empty where the model does not know the label. */
  readonly targets: readonly (readonly number[])[];
}

/** What every job needs that asks models about variants. */
export interface ModelJobSettings extends SceneSettings {
  readonly threadsPerModel: number;
  readonly batch?: number;
  readonly offline?: boolean;
}

export interface PredictInit extends ModelJobSettings {
  readonly plannedSamples: readonly PlannedSample[];
  readonly conditions: readonly Condition[];
  readonly models: readonly JobModel[];
}

/** A few samples, each with the conditions still missing for it. */
export interface PredictTask {
  readonly work: readonly MissingAnswers[];
}

/** One sample with the conditions that are missing for it. */
export interface MissingAnswers {
  readonly sampleIndex: number;
  readonly conditions: readonly number[];
}

/** The results of a task since it last handed some over. */
export interface PredictResult {
  readonly predictions: StoredRow<PredictionRow>[];
  readonly published: StoredRow<PublishedRow>[];
  readonly segmentation: StoredRow<SegmentationRow>[];
  readonly errors: ErrorLine[];
  /** How many answers were computed, or are known to be impossible. */
  settled: number;
}

/** A long task hands over its rows this often, so that a kill loses no more. */
const emitSeconds = 5;
export const nothingYet = (): PredictResult => ({
  predictions: [],
  published: [],
  segmentation: [],
  errors: [],
  settled: 0,
});

interface Waiting {
  readonly condition: Condition;
  readonly planned: PlannedSample;
  readonly prepared: Prepared;
  readonly mask: Mask | undefined;
  readonly size: { readonly width: number; readonly height: number };
}

export const predictJob = defineJob<PredictInit, PredictTask, PredictResult, ModelsToOpen, OpenedEarly>({
  name: 'predict',
  loadEarly: loadSharp,
  openEarly: openModelsEarly,
  async open(init, host, early) {
    const { plannedSamples, conditions } = init;
    const models = await openModels(init, early);
    const maker = createVariantMaker({
      ...init,
      samples: plannedSamples.map(({ sample }) => sample),
      isStopping: host.isStopping,
    });

    // Where models compute in this thread, tasks go one after the other: the next one only reads its first photograph.
    const takesTurns = models.every(({ runsIn }) => runsIn === 'worker');
    let before: Promise<unknown> = Promise.resolve();
    // Their masks wait with the questions.
    const segments = init.models.some(({ task }) => task === 'segment');

    return {
      async run({ work }, emit) {
        const ahead = readAhead(
          maker,
          work.map(({ sampleIndex }) => plannedSamples[sampleIndex].sample),
        );
        let done = () => {};
        const turn = before;
        if (takesTurns) before = new Promise<void>((resolve) => (done = resolve));
        if (takesTurns) await turn;
        let result = nothingYet();
        let emitted = performance.now();
        const queues = models.map((): Waiting[] => []);
        const preparations = createPreparations(models);
        const flush = async (model: number) => {
          await answerAll(
            init.models[model],
            models[model],
            model,
            queues[model].splice(0),
            host,
            preparations,
            result,
          );
          if (performance.now() - emitted < 1000 * emitSeconds) return;
          emit(result);
          result = nothingYet();
          emitted = performance.now();
        };

        try {
          for (const { sampleIndex, conditions: missing } of work) {
            const planned = plannedSamples[sampleIndex];
            const errors = collectErrors(planned.sample.id);
            const wanted = byScenario(missing.map((condition) => conditions[condition]));
            let queued = 0;
            const loaded = await forEachVariant(
              ahead,
              planned.sample,
              wanted.keys(),
              errors,
              async (scenario, make, photograph) => {
                const asked = wanted.get(scenario) as Condition[];
                // Answers that are looked up need no picture.
                const isSeen = asked.some(({ model }) => models[model].looksAtPixels);
                const made = isSeen ? await make() : undefined;
                const { image, mask } = made ?? photograph;
                preparations.next();
                for (const condition of asked) {
                  await errors.during({ scenario, model: init.models[condition.model].name }, async () => {
                    checkAskable(init.models[condition.model], planned, condition, mask, photograph);
                    const { width, height } = image;
                    const prepared = await preparations.prepare(condition.model, image);
                    queues[condition.model].push({ condition, planned, prepared, mask, size: { width, height } });
                    queued++;
                    if (queues[condition.model].length >= models[condition.model].batch) await flush(condition.model);
                  });
                }
                made?.giveBack();
              },
            );
            if (!segments) loaded?.giveBack();
            result.errors.push(...errors.lines());
            result.settled += missing.length - queued;
          }
          for (const model of queues.keys()) await flush(model);
          // The last one goes back as well: the next task's batches begin where its room does.
          preparations.next();
        } catch (error) {
          // What is answered already is kept.
          if (!(error instanceof Interrupted)) throw error;
        } finally {
          done();
        }
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
  preparations: Preparations,
  result: PredictResult,
): Promise<void> {
  if (!waiting.length) return;
  const batch = waiting.map(({ prepared }) => prepared);
  const questions = waiting.map(({ planned: { sample }, condition, size }) => ({
    sample: sample.id,
    scenario: condition.scenario,
    label: sample.label,
    ...size,
  }));
  const answers: Answer[] =
    model.runsIn === 'main' ? await host.answer(index, batch, questions) : await answerBatch(model, batch, questions);
  if (model.runsIn === 'worker') preparations.release(index, batch);
  result.settled += waiting.length;
  for (const [i, { condition, planned, mask }] of waiting.entries()) {
    const { sample, sampleHash, fold } = planned;
    const { scenario, hash } = condition;
    const errors = collectErrors(sample.id);
    await errors.during({ scenario, model: name }, () => {
      if (task === 'segment') {
        const about = { model: name, scenario, sample, truth: mask as Mask, labels: map.names };
        const rows = toSegmentationRows(answers[i], about);
        result.segmentation.push(...rows.map((row) => Object.assign(row, { condition: hash, sampleHash })));
      } else {
        const kept = { condition: hash, sampleHash };
        const about = { model: name, scenario, sample, fold, targets: planned.targets[condition.model], map };
        // Not by spreading: V8 gives every object that two others are spread into hidden classes of its own.
        result.predictions.push(Object.assign(toPredictionRow(answers[i], about), kept));
        const published = toPublishedRow(answers[i], about);
        if (published) result.published.push(Object.assign(published, kept));
      }
    });
    result.errors.push(...errors.lines());
  }
}

function checkAskable(
  { name, task }: JobModel,
  { sample, targets }: PlannedSample,
  condition: Condition,
  mask: Mask | undefined,
  { maskError }: Photograph,
): void {
  if (task === 'segment') {
    if (!mask)
      throw maskError ?? new SampleError('mask-missing', 'the sample has no mask to compare the segmentation with');
  } else if (!targets[condition.model].length) {
    throw new SampleError(
      'label-unknown',
      `${name} has no output for the label '${sample.label ?? ''}'; give a labelMap in the config, or 'target' in the manifest`,
    );
  }
}

function byScenario(conditions: readonly Condition[]): Map<string, Condition[]> {
  const grouped = new Map<string, Condition[]>();
  for (const condition of conditions)
    grouped.set(condition.scenario, [...(grouped.get(condition.scenario) ?? []), condition]);
  return grouped;
}
