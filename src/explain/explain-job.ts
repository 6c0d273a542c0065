import { SampleError } from '../contracts/errors.ts';
import type { ErrorLine } from '../contracts/prediction.ts';
import { overlayPath, type SaliencyRow } from '../contracts/saliency.ts';
import { encodeImage } from '../image/encode.ts';
import type { Raster } from '../image/raster.ts';
import { openModel } from '../models/open.ts';
import { writeAtomic } from '../run/atomic.ts';
import { collectErrors } from '../run/error-budget.ts';
import type { StoredRow } from '../run/folder/index.ts';
import { defineJob } from '../run/jobs.ts';
import type { JobModel, ModelJobSettings, PlannedSample } from '../run/predict-job.ts';
import { createVariantMaker, forEachVariant } from '../run/variants.ts';
import type { MethodChoice } from './choose-method.ts';
import { explainVariant } from './explain-variant.ts';
import { openGraph } from './graph/open-graph.ts';
import type { ExplainSettings } from './options.ts';
import { beside, drawOverlay, reduceTo } from './overlay.ts';
import { regionOf } from './region.ts';

export interface ExplainCondition {
  readonly hash: string;
  /** Place among the models. */
  readonly model: number;
  readonly scenario: string;
  readonly given: boolean;
}

export type ExplainModel = JobModel & MethodChoice;

export interface ExplainInit extends ModelJobSettings {
  /** All samples of the run: scenes may borrow from any of them. */
  readonly plannedSamples: readonly PlannedSample[];
  readonly conditions: readonly ExplainCondition[];
  readonly models: readonly ExplainModel[];
  readonly settings: ExplainSettings;
  /** The folder that holds `saliency/`. */
  readonly out: string;
}

/** One sample with the conditions that are missing for it. */
export interface ExplainTask {
  readonly sampleIndex: number;
  readonly conditions: readonly number[];
}

export interface ExplainResult {
  readonly rows: StoredRow<SaliencyRow>[];
  readonly errors: ErrorLine[];
}

const largePx = 360;
const smallPx = 176;

export const explainJob = defineJob<ExplainInit, ExplainTask, ExplainResult>({
  name: 'explain',
  async open(init, host) {
    const { plannedSamples, conditions, settings, seed, out } = init;
    const models = await Promise.all(
      init.models.map(async (job, place) => {
        const { threadsPerModel: threads, batch, offline } = init;
        const model = await openModel(job.spec, { threads, batch, offline, described: job.description });
        const answer =
          model.runsIn === 'main'
            ? (pictures: Parameters<typeof host.answer>[1], questions: Parameters<typeof host.answer>[2]) =>
                host.answer(place, pictures, questions)
            : model.answer;
        const { description, method, spatial } = job;
        const graph = spatial && (await openGraph(description, spatial, { threads, tail: method === 'cam' }));
        return { model, answer, names: job.map.names, method, graph };
      }),
    );
    const maker = createVariantMaker({
      ...init,
      samples: plannedSamples.map(({ sample }) => sample),
      isStopping: host.isStopping,
    });
    const pictures = createPictureWriter(out);

    return {
      async run({ sampleIndex, conditions: missing }) {
        const { sample, sampleHash, targets } = plannedSamples[sampleIndex];
        const rows: StoredRow<SaliencyRow>[] = [];
        const errors = collectErrors(sample.id);
        const wanted = missing.map((at) => conditions[at]);
        const scenarios = new Set(wanted.map(({ scenario }) => scenario));
        await forEachVariant(maker, sample, scenarios, errors, async (scenario, make, photograph) => {
          const variant = await make();
          for (const condition of wanted.filter((each) => each.scenario === scenario)) {
            const { name, layer } = init.models[condition.model];
            await errors.during({ scenario, model: name }, async () => {
              const accepted = targets[condition.model];
              if (!accepted.length)
                throw new SampleError('label-unknown', `${name} has no output for the label '${sample.label ?? ''}'`);
              const mask = await regionOf(variant);
              const { numbers, map } = await explainVariant(
                { image: variant.image, mask, sample: sample.id, scenario, label: sample.label, targets: accepted },
                models[condition.model],
                { seed, settings },
              );
              const at = { model: name, scenario, sample: sample.id };
              await pictures(at, photograph.image, drawOverlay({ image: variant.image, mask, map, sizePx: largePx }));
              rows.push({
                ...at,
                group: sample.group ?? '',
                label: sample.label ?? '',
                layer,
                ...numbers,
                condition: condition.hash,
                sampleHash,
              });
            });
          }
        });
        return { rows, errors: errors.lines() };
      },
      async close() {
        await Promise.all(models.flatMap(({ model, graph }) => [model.close(), graph?.close()]));
      },
    };
  },
});

/** Large: the photograph beside the overlay, for people. Small: the overlay alone, for the report. */
function createPictureWriter(out: string) {
  return async (at: Pick<SaliencyRow, 'model' | 'scenario' | 'sample'>, original: Raster, overlay: Raster) => {
    const pair = beside(reduceTo(original, largePx), overlay);
    await writeAtomic(
      out,
      `saliency/${overlayPath(at, 'large')}`,
      await encodeImage(pair, { format: 'jpeg', quality: 88 }),
    );
    const small = reduceTo(overlay, smallPx);
    await writeAtomic(
      out,
      `saliency/${overlayPath(at, 'small')}`,
      await encodeImage(small, { format: 'webp', quality: 78 }),
    );
  };
}
