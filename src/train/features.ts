import { totalmem } from 'node:os';
import type { ErrorLine } from '../contracts/prediction.ts';
import { isInShare } from '../contracts/queue.ts';
import { createErrorBudget } from '../run/error-budget.ts';
import { type FeatureStore, openFeatureStore } from '../run/feature-store.ts';
import type { PaintingOptions } from '../run/painting-options.ts';
import type { PartOptions } from '../run/part.ts';
import type { PhotographOptions } from '../run/photograph.ts';
import { createPool } from '../run/pool.ts';
import { tasksAhead } from '../run/share-cores.ts';
import { type Backbone, writeBackbone } from './backbone.ts';
import { type FeatureInit, type FeatureResult, type FeatureTask, featureJob } from './feature-job.ts';
import type { FeaturePlan } from './feature-plan.ts';

export interface ComputeOptions extends PartOptions {
  readonly run: string;
  readonly plan: FeaturePlan;
  readonly backbone: Backbone;
  readonly seed: number;
  readonly photographs: PhotographOptions;
  readonly generated?: string;
  readonly painting?: PaintingOptions;
  readonly salient?: FeatureInit['salient'];
  readonly threads: number;
  readonly maxErrors: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface ComputedFeatures {
  readonly store: FeatureStore;
  readonly errors: ErrorLine[];
  /** Computed now; the others were there. */
  readonly computed: number;
  readonly total: number;
}

/** Features of every variant of the plan, each computed once and kept in the run folder. */
export async function computeFeatures(options: ComputeOptions): Promise<ComputedFeatures> {
  const { run, plan, backbone, signal, onProgress } = options;
  let store = openFeatureStore(run, backbone.tap.features);
  let missing = findMissing(store, options);
  if (options.elsewhere && missing.length) {
    await options.elsewhere(missing.map(({ sampleIndex }) => sampleIndex));
    store = openFeatureStore(run, backbone.tap.features);
    missing = findMissing(store, options);
  }
  const total = plan.keys.reduce(
    (sum, keys) => sum + keys.filter((key, place) => key && isInShare(place, options.share)).length,
    0,
  );
  const toDo = missing.reduce((sum, { wanted }) => sum + wanted.length, 0);
  if (!toDo) return { store, errors: [], computed: 0, total };

  const tasks = makeTasks(missing);
  const { workers, threadsPerModel } = shareCores(options.threads, backbone.description.onnx.bytes);
  const { description, tap } = backbone;
  const pool = await createPool(
    featureJob,
    {
      plannedSamples: plan.plannedSamples.map(({ sample, fold }) => ({ sample, fold })),
      wanted: plan.wanted,
      folds: plan.folds,
      network: {
        path: await writeBackbone(run, backbone),
        quantized: description.onnx.quantized,
        input: description.onnx.input,
        preprocessing: description.preprocessing,
        batch: description.batch,
        features: tap.features,
      },
      threadsPerModel,
      seed: options.seed,
      photographs: options.photographs,
      backgrounds: plan.backgrounds,
      generated: options.generated,
      painting: options.painting,
      salient: options.salient,
    },
    {
      threads: workers,
      tasksPerThread: tasksAhead(tasks.length, workers),
      guard: {
        samples: ({ work }) => work.map(({ sampleIndex }) => plan.plannedSamples[sampleIndex].sample),
        split: ({ shard, work }) => work.map((one) => ({ shard, work: [one] })),
        leaveOut: (_, line) => ({ made: [], rows: new Float32Array(0), errors: [line] }),
      },
    },
  );
  const budget = createErrorBudget(plan.plannedSamples.length, options.maxErrors);
  const shards = new Map<number, { left: number; results: FeatureResult[] }>();
  for (const { shard, work } of tasks) {
    const known = shards.get(shard) ?? { left: 0, results: [] };
    known.left += work.length;
    shards.set(shard, known);
  }
  let computed = 0;
  let writing = Promise.resolve();
  try {
    await pool.forEach(
      tasks,
      (result, { shard, work }) => {
        const open = shards.get(shard) as { left: number; results: FeatureResult[] };
        open.results.push(result);
        computed += work.reduce((sum, { wanted }) => sum + wanted.length, 0);
        onProgress?.(total - toDo + computed, total);
        open.left -= work.length;
        if (open.left === 0) {
          shards.delete(shard);
          writing = writing.then(() => writeShard(store, plan, open.results));
          // The error is thrown at the end, when what is under way is done.
          writing.catch(() => undefined);
        }
        budget.add(result.errors);
      },
      signal,
    );
  } finally {
    // After an interruption the finished part of a shard is written as well.
    for (const { results } of shards.values()) writing = writing.then(() => writeShard(store, plan, results));
    await writing.finally(() => pool.close());
  }
  return { store, errors: budget.lines, computed, total };
}

const findMissing = (store: FeatureStore, { plan, share }: ComputeOptions) =>
  plan.plannedSamples
    .map((_, sampleIndex) => ({
      sampleIndex,
      wanted: plan.keys.flatMap((keys, index) => (keys[sampleIndex] && !store.has(keys[sampleIndex]) ? [index] : [])),
    }))
    .filter(({ sampleIndex, wanted }) => wanted.length && isInShare(sampleIndex, share))
    // Fold by fold, so that the backgrounds of one fold stay decoded while they are needed.
    .sort(
      (a, b) =>
        plan.plannedSamples[a.sampleIndex].fold - plan.plannedSamples[b.sampleIndex].fold ||
        a.sampleIndex - b.sampleIndex,
    );

/** Rows of one scenario lie together in a shard: that is how they are read. */
async function writeShard(store: FeatureStore, plan: FeaturePlan, results: readonly FeatureResult[]): Promise<void> {
  const rows = results.flatMap(({ made, rows: data }) =>
    made.map(({ sampleIndex, wanted }, i) => ({
      sampleIndex,
      wanted,
      row: data.subarray(i * store.d, (i + 1) * store.d),
    })),
  );
  rows.sort((a, b) => a.wanted - b.wanted || a.sampleIndex - b.sampleIndex);
  const data = new Float32Array(rows.length * store.d);
  for (const [i, { row }] of rows.entries()) data.set(row, i * store.d);
  await store.write(
    rows.map(({ sampleIndex, wanted }) => plan.keys[wanted][sampleIndex]),
    data,
  );
}

function makeTasks(missing: readonly { sampleIndex: number; wanted: readonly number[] }[]): FeatureTask[] {
  const perSample = Math.max(1, ...missing.map(({ wanted }) => wanted.length));
  const shardSize = Math.min(256, Math.max(8, Math.round(1024 / perSample)));
  const taskSize = Math.min(16, Math.max(1, Math.round(32 / perSample)));
  const tasks: FeatureTask[] = [];
  for (let start = 0, shard = 0; start < missing.length; start += shardSize, shard++) {
    const work = missing.slice(start, start + shardSize);
    for (let at = 0; at < work.length; at += taskSize) tasks.push({ shard, work: work.slice(at, at + taskSize) });
  }
  return tasks;
}

/** Worker threads and threads of the runtime together never exceed the cores; big models get fewer copies. */
function shareCores(threads: number, bytes: number): { workers: number; threadsPerModel: number } {
  const copies = Math.max(1, Math.floor(totalmem() / 2 / (3 * bytes)));
  const workers = Math.max(1, Math.min(threads, copies));
  return { workers, threadsPerModel: Math.max(1, Math.floor(threads / workers)) };
}
