import type { ModelConfig } from '../contracts/model-config.ts';
import type { Preprocessing } from '../contracts/model-record.ts';
import type { ErrorLine } from '../contracts/prediction.ts';
import type { Sample } from '../contracts/sample.ts';
import type { Mask } from '../image/raster.ts';
import type { ModelDescription, Prepared } from '../models/define.ts';
import { featureOutput } from '../models/onnx/features.ts';
import type { ImageInput } from '../models/onnx/model-file.ts';
import { networkSize, preprocessor } from '../models/onnx/preprocess.ts';
import { createRunner } from '../models/onnx/runner.ts';
import { openSession } from '../models/onnx/session.ts';
import { openModel } from '../models/open.ts';
import { salientMask } from '../models/salient.ts';
import { collectErrors } from '../run/error-budget.ts';
import { defineJob } from '../run/jobs.ts';
import type { PaintingOptions } from '../run/painting-options.ts';
import type { PhotographOptions } from '../run/photograph.ts';
import { createVariantMaker, forEachVariant, type VariantMaker } from '../run/variants.ts';
import { isSalientView } from './remedies/remedies.ts';
import { applyView } from './views.ts';

export interface FeatureSample {
  readonly sample: Sample;
  readonly fold: number;
}

export interface FeatureInit {
  readonly plannedSamples: readonly FeatureSample[];
  /** What is asked for: a scenario, and how its variants are shown to the network. */
  readonly wanted: readonly { readonly scenario: string; readonly view: string }[];
  readonly folds: number;
  readonly network: {
    readonly path: string;
    readonly quantized: boolean;
    readonly input: ImageInput;
    readonly preprocessing: Preprocessing;
    readonly batch: number;
    readonly features: number;
  };
  readonly threadsPerModel: number;
  readonly seed: number;
  readonly photographs: PhotographOptions;
  /** By fold. */
  readonly backgrounds?: readonly (readonly string[])[];
  readonly generated?: string;
  readonly painting?: PaintingOptions;
  /** Finds the object in views by salience. */
  readonly salient?: { readonly spec: ModelConfig; readonly description: ModelDescription };
}

export interface FeatureTask {
  readonly shard: number;
  readonly work: readonly { readonly sampleIndex: number; readonly wanted: readonly number[] }[];
}

export interface FeatureResult {
  readonly made: { readonly sampleIndex: number; readonly wanted: number }[];
  /** One row for each of `made`. */
  readonly rows: Float32Array;
  readonly errors: ErrorLine[];
}

const cacheBytes = 96 * 2 ** 20;

/** Features of every variant of some samples: each photograph is decoded once and every scenario derived from it. */
export const featureJob = defineJob<FeatureInit, FeatureTask, FeatureResult>({
  name: 'features',
  async open(init, host) {
    const {
      plannedSamples,
      wanted,
      folds,
      network,
      threadsPerModel,
      seed,
      photographs,
      backgrounds,
      generated,
      painting,
    } = init;
    const { path, quantized, input, preprocessing, batch, features: d } = network;
    const session = await openSession({ path, quantized, threads: threadsPerModel });
    const runner = createRunner({ session, input, preprocessing, outputs: [featureOutput], batch, file: path });
    const prepare = preprocessor(preprocessing);
    const salient =
      init.salient &&
      (await openModel(init.salient.spec, { threads: threadsPerModel, described: init.salient.description }));
    // Pictures for a sample come from its own fold: what is tested never shares one with what is trained on.
    const makers = new Map<number, VariantMaker>();
    const makerOf = (fold: number): VariantMaker => {
      const known = makers.get(fold);
      if (known) return known;
      const samples = plannedSamples.filter((planned) => planned.fold === fold).map(({ sample }) => sample);
      const own = backgrounds?.[fold];
      const maker = createVariantMaker({
        samples,
        isStopping: host.isStopping,
        seed,
        photographs,
        backgrounds: own,
        generated,
        painting,
        cacheBytes: Math.max(8 * 2 ** 20, cacheBytes / folds),
      });
      makers.set(fold, maker);
      return maker;
    };

    return {
      async run({ work }) {
        const made: FeatureResult['made'] = [];
        const parts: Float32Array[] = [];
        const errors: ErrorLine[] = [];
        let waiting: {
          sampleIndex: number;
          wanted: number;
          picture: Prepared;
          size: { width: number; height: number };
        }[] = [];
        const flush = async () => {
          if (!waiting.length) return;
          const [{ data }] = await runner.run(
            waiting.map(({ picture }) => picture),
            waiting[0].size,
          );
          if (data.length !== waiting.length * d)
            throw new Error(`${data.length} features where ${waiting.length * d} were due`);
          for (const [i, one] of waiting.entries()) {
            const row = data.slice(i * d, (i + 1) * d);
            if (row.every(Number.isFinite)) {
              made.push({ sampleIndex: one.sampleIndex, wanted: one.wanted });
              parts.push(row);
            } else
              errors.push({
                sample: plannedSamples[one.sampleIndex].sample.id,
                scenario: wanted[one.wanted].scenario,
                problem: 'model-failed',
                message: 'the backbone gave features that are not numbers',
              });
          }
          waiting = [];
        };
        for (const { sampleIndex, wanted: missing } of work) {
          const { sample, fold } = plannedSamples[sampleIndex];
          const problems = collectErrors(sample.id);
          const scenarios = new Set(missing.map((index) => wanted[index].scenario));
          await forEachVariant(makerOf(fold), sample, scenarios, problems, async (scenario, make) => {
            const variant = await make();
            let found: Mask | undefined;
            for (const index of missing.filter((each) => wanted[each].scenario === scenario)) {
              const { view } = wanted[index];
              await problems.during({ scenario }, async () => {
                if (salient && isSalientView(view)) found ??= await salientMask(salient, variant.image);
                const image = applyView(view, variant.image, isSalientView(view) ? found : variant.mask);
                const size = networkSize(preprocessing, image);
                if (waiting.length && (waiting[0].size.width !== size.width || waiting[0].size.height !== size.height))
                  await flush();
                waiting.push({ sampleIndex, wanted: index, picture: prepare(image), size });
                if (waiting.length >= batch) await flush();
              });
            }
          });
          errors.push(...problems.lines());
        }
        await flush();
        const rows = new Float32Array(parts.length * d);
        for (const [i, part] of parts.entries()) rows.set(part, i * d);
        return { made, rows, errors };
      },
      close: async () => {
        await session.release();
        await salient?.close();
      },
    };
  },
});
