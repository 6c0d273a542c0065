import { resolve } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import type { ErrorLine } from '../contracts/prediction.ts';
import type { Dataset } from '../contracts/sample.ts';
import type { HeadDifference, HeadSummary, MatrixCell } from '../contracts/training.ts';
import { processorFacts } from '../models/onnx/int8.ts';
import {
  checkOut,
  checkSameData,
  inOwnFolder,
  openRunStore,
  writeErrorLines,
  writeRunRecord,
} from '../run/folder/index.ts';
import { inFolder, type PartOptions } from '../run/part.ts';
import { describeInputs } from '../run/run-description.ts';
import { keepThreadsWhile } from '../run/threads.ts';
import { writeCurves } from './curves.ts';
import { type FeaturePlan, type FeaturePlanInput, planFeatures } from './feature-plan.ts';
import { type ComputedFeatures, type ComputeOptions, computeFeatures } from './features.ts';
import { type FittedHead, fitHeads } from './fit-heads.ts';
import { type HeadPlan, planHeads } from './head-plan.ts';
import { predictHeads } from './predict-heads.ts';
import { strengthPath } from './strength.ts';
import { differencesOf, matrixOf, summariseHeads } from './summary.ts';
import { unseenClasses } from './unseen-classes.ts';

export type TrainStage = 'features' | 'heads' | 'answers';

export interface TrainOptions extends FeaturePlanInput, PartOptions {
  readonly dataset: Dataset;
  readonly out: string;
  /** Further heads: lists of scenarios, or `mix`. */
  readonly on?: readonly string[];
  readonly strength?: number;
  /** The layer as the user named it. */
  readonly layer?: string;
  readonly threads: number;
  readonly maxErrors: number;
  /** Finds the object in views by salience. */
  readonly salient?: ComputeOptions['salient'];
  /** The settings as the user gave them, kept in `run.json`. */
  readonly config: unknown;
  /** Other work whose threads it takes over: nothing is computed before that is done. */
  readonly threadsOf?: Promise<unknown>;
  readonly signal?: AbortSignal;
  readonly onPlan?: (outline: TrainOutline) => void;
  readonly onProgress?: (stage: TrainStage, done: number, total: number) => void;
}

/** What will be done, before it is. */
export interface TrainOutline {
  readonly samples: number;
  readonly classes: number;
  readonly scenarios: number;
  readonly heads: number;
  readonly folds: number;
  readonly layer: string;
  readonly features: number;
  readonly warnings: readonly string[];
}

export interface TrainSummary {
  readonly run: string;
  readonly backbone: string;
  readonly layer: string;
  readonly features: number;
  readonly folds: number;
  readonly scenarios: HeadSummary[];
  readonly matrix: MatrixCell[];
  readonly differences: HeadDifference[];
  readonly rows: number;
  readonly errors: ErrorLine[];
  readonly seconds: number;
  /** Variants whose features were computed by this call. */
  readonly computed: number;
  readonly interrupted: boolean;
  /** What is missing from the training because pictures could not be used. */
  readonly warnings: readonly string[];
  /** The features, and the heads with their keys, for further steps such as remedies. */
  readonly plan: FeaturePlan;
  readonly computedFeatures: ComputedFeatures;
  readonly heads: readonly FittedHead[];
}

/**
 * A head for every scenario, trained on frozen features, and every head tested in every scenario on images it never
 * saw. The same call continues after a kill: features, heads and answers that are there are not made again.
 */
export async function trainHeads(options: TrainOptions): Promise<TrainSummary> {
  await checkOut(options.out, options.dataset);
  const run = resolve(options.out);
  return keepThreadsWhile(() => inOwnFolder(run, () => trainLocked(options, run)));
}

/** The features of a share of the samples, and nothing that needs the others: heads are fitted when all are there. */
export async function computeShare(
  options: TrainOptions,
): Promise<ComputedFeatures & { readonly interrupted: boolean }> {
  await checkOut(options.out, options.dataset);
  const run = resolve(options.out);
  return inFolder(run, options, async () => {
    const plan = await planFeatures(options);
    const onProgress = (done: number, total: number) => options.onProgress?.('features', done, total);
    const computed = await computeFeatures({ ...options, run, plan, onProgress });
    return { ...computed, interrupted: options.signal?.aborted === true };
  });
}

async function trainLocked(options: TrainOptions, run: string): Promise<TrainSummary> {
  const started = performance.now();
  const { backbone, classes, signal, strength, threads } = options;
  if (classes.length < 2)
    throw new UserError(`Expected at least two classes to tell apart, but the data has ${classes.length}`);
  const plan = await planFeatures(options);
  const scenarios = plan.wanted.filter(({ view }) => view === 'plain').map(({ scenario }) => scenario);
  const heads = planHeads(scenarios, options.on ?? []);
  const { layer, features } = backbone.tap;
  options.onPlan?.({
    samples: new Set(plan.plannedSamples.map(({ sample }) => sample.id)).size,
    classes: classes.length,
    scenarios: scenarios.length,
    heads: heads.length,
    folds: plan.folds,
    layer,
    features,
    warnings: [...backbone.description.warnings.map((text) => `${backbone.name}: ${text}`), ...plan.warnings],
  });
  const rows = await openRunStore(run);
  await checkSameData(run, options.dataset, { store: rows, samples: hashesById(plan) }).finally(rows.close);
  const record = { ...describe(options, plan, heads), started: new Date().toISOString() };
  await writeRunRecord(run, record);

  await options.threadsOf;
  const computedFeatures = await computeFeatures({
    ...options,
    run,
    plan,
    onProgress: (done, total) => options.onProgress?.('features', done, total),
  });
  const { store: featureStore, errors } = computedFeatures;
  const made = signal?.aborted ? [] : withRows(heads, plan, featureStore.has);
  const warnings = unseenClasses(plan, made, classes, featureStore.has);
  const fitted = signal?.aborted
    ? []
    : await fitHeads({
        run,
        plan,
        store: featureStore,
        heads: made,
        classes,
        strength,
        threads,
        signal,
        onProgress: (done, total) => options.onProgress?.('heads', done, total),
      });
  const store = await openRunStore(run);
  try {
    const done = !signal?.aborted && fitted.length > 0;
    const tallies = done
      ? await predictHeads({
          run,
          model: backbone.name,
          plan,
          features: featureStore,
          store,
          heads: fitted,
          classes,
          signal,
          onProgress: (count, total) => options.onProgress?.('answers', count, total),
        })
      : [];
    const interrupted = signal?.aborted === true;
    if (!interrupted) await writeCurves(run, { model: backbone.name, heads: fitted, store });
    await writeErrorLines(run, errors);
    const seconds = (performance.now() - started) / 1000;
    const rows = await store.countRows('predictions');
    await writeRunRecord(run, {
      ...record,
      finished: interrupted ? null : new Date().toISOString(),
      seconds,
      rows,
      errors: errors.length,
    });
    return {
      run,
      backbone: backbone.name,
      layer,
      features,
      folds: plan.folds,
      scenarios: interrupted ? [] : await summariseHeads(run, fitted, tallies),
      matrix: matrixOf(tallies),
      differences: interrupted ? [] : differencesOf(tallies, fitted, plan.folds),
      rows,
      errors,
      seconds,
      computed: computedFeatures.computed,
      interrupted,
      warnings,
      plan,
      computedFeatures,
      heads: fitted,
    };
  } finally {
    store.close();
  }
}

function hashesById({ plannedSamples }: FeaturePlan): Map<string, Set<string>> {
  return new Map(plannedSamples.map(({ sample, sampleHash }) => [sample.id, new Set([sampleHash])]));
}

/** A scenario none of whose variants could be made has no head. */
function withRows(heads: readonly HeadPlan[], plan: FeaturePlan, has: (key: string) => boolean): HeadPlan[] {
  const made = heads.filter(({ scenarios }) =>
    scenarios.some((scenario) =>
      plan.wanted.some((wanted, i) => wanted.scenario === scenario && plan.keys[i].some((key) => key && has(key))),
    ),
  );
  if (!made.length) throw new UserError('No variant could be made, so there is nothing to train on', { exitCode: 1 });
  return made;
}

/** Everything that decides a number. */
function describe(options: TrainOptions, plan: FeaturePlan, heads: readonly HeadPlan[]) {
  const { backbone } = options;
  const { description, tap } = backbone;
  return {
    ...describeInputs(options, plan),
    scenarios: [...new Set(plan.wanted.map(({ scenario }) => scenario))],
    models: [
      {
        name: backbone.name,
        kind: 'classifier',
        source: description.source,
        identity: description.identity,
        parameters: description.parameters ?? null,
        preprocessing: description.preprocessing,
        labelsFrom: "the dataset's classes (heads trained here)",
        warnings: description.warnings,
      },
    ],
    training: {
      backbone: backbone.name,
      layer: tap.layer,
      features: tap.features,
      folds: plan.folds,
      heads: heads.map(({ name, scenarios }) => ({ name, scenarios })),
      strengths: options.strength === undefined ? strengthPath : [options.strength],
      asked: { layer: options.layer ?? null, strength: options.strength ?? null, on: options.on ?? [] },
      backgroundsPerFold: plan.backgrounds?.map((files) => files.length) ?? null,
    },
    versions: { node: process.versions.node, platform: `${process.platform}-${process.arch}` },
    processor: processorFacts(),
    threads: options.threads,
  };
}
