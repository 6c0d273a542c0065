import type { ModelConfig } from '../../contracts/model-config.ts';
import type { ErrorLine } from '../../contracts/prediction.ts';
import type { Mask } from '../../image/raster.ts';
import type { ModelDescription, Prepared } from '../../models/define.ts';
import { openModel } from '../../models/open.ts';
import { salientMask } from '../../models/salient.ts';
import { answerBatch } from '../../run/answer-batch.ts';
import { collectErrors } from '../../run/error-budget.ts';
import { defineJob } from '../../run/jobs.ts';
import type { JobModel, ModelJobSettings, PlannedSample } from '../../run/predict-job.ts';
import { toPredictionRow } from '../../run/rows.ts';
import { createVariantMaker, forEachVariant } from '../../run/variants.ts';
import { applyView } from '../views.ts';
import { isSalientView } from './remedies.ts';

export interface ViewsInit extends ModelJobSettings {
  readonly plannedSamples: readonly PlannedSample[];
  readonly scenarios: readonly string[];
  /** `plain` and the others. */
  readonly views: readonly string[];
  readonly model: JobModel;
  readonly salient?: { readonly spec: ModelConfig; readonly description: ModelDescription };
}

export interface ViewsResult {
  readonly answers: { sample: string; scenario: string; view: string; correct: boolean; correctOwn: boolean }[];
  readonly errors: ErrorLine[];
}

interface Waiting {
  readonly planned: PlannedSample;
  readonly scenario: string;
  readonly view: string;
  readonly prepared: Prepared;
  readonly size: { readonly width: number; readonly height: number };
}

/** One delivered model on every scenario of a sample, shown plainly and in the other views. */
export const viewsJob = defineJob<ViewsInit, number, ViewsResult>({
  name: 'views',
  async open(init, host) {
    const { plannedSamples, scenarios, views, offline } = init;
    const { spec, description, name, map } = init.model;
    const threads = init.threadsPerModel;
    const model = await openModel(spec, { threads, batch: init.batch, offline, described: description });
    const salient =
      init.salient && (await openModel(init.salient.spec, { threads, described: init.salient.description }));
    const maker = createVariantMaker({
      ...init,
      samples: plannedSamples.map(({ sample }) => sample),
      isStopping: host.isStopping,
    });

    return {
      async run(index) {
        const planned = plannedSamples[index];
        const { sample } = planned;
        const result: ViewsResult = { answers: [], errors: [] };
        const errors = collectErrors(sample.id);
        let waiting: Waiting[] = [];
        const flush = async () => {
          const batch = waiting.map(({ prepared }) => prepared);
          const questions = waiting.map(({ scenario, size }) => ({
            sample: sample.id,
            scenario,
            label: sample.label,
            ...size,
          }));
          const asked = waiting;
          waiting = [];
          const answers =
            model.runsIn === 'main'
              ? await host.answer(0, batch, questions)
              : await answerBatch(model, batch, questions);
          for (const [i, { scenario, view }] of asked.entries())
            await errors.during({ scenario, model: name }, () => {
              const context = { model: name, scenario, sample, fold: -1, targets: planned.targets[0], map };
              const { correct, correctOwn } = toPredictionRow(answers[i], context);
              result.answers.push({ sample: sample.id, scenario, view, correct, correctOwn });
            });
        };
        if (planned.targets[0].length)
          await forEachVariant(maker, sample, scenarios, errors, async (scenario, make) => {
            const variant = await make();
            let found: Mask | undefined;
            for (const view of views)
              await errors.during({ scenario, model: name }, async () => {
                if (salient && isSalientView(view)) found ??= await salientMask(salient, variant.image);
                const image = applyView(view, variant.image, isSalientView(view) ? found : variant.mask);
                const { width, height } = image;
                waiting.push({
                  planned,
                  scenario,
                  view,
                  prepared: await model.prepare(image),
                  size: { width, height },
                });
                if (waiting.length >= model.batch) await flush();
              });
          });
        if (waiting.length) await flush();
        return { ...result, errors: errors.lines() };
      },
      async close() {
        await model.close();
        await salient?.close();
      },
    };
  },
});
