import type { FeatureStore } from '../run/feature-store.ts';
import { createPool } from '../run/pool.ts';
import type { FeaturePlan } from './feature-plan.ts';
import { type FitTask, fitJob } from './fit-job.ts';
import { type HeadPlan, type HeadRows, headKey, rowsOf, splitRows } from './head-plan.ts';
import { hasHead } from './head-store.ts';

export interface FitHeadsOptions {
  readonly run: string;
  readonly plan: FeaturePlan;
  readonly store: FeatureStore;
  readonly heads: readonly HeadPlan[];
  readonly classes: readonly string[];
  readonly strength?: number;
  /** The folds to hold out; −1: none, the head is trained on all. Every fold where left out. */
  readonly held?: readonly number[];
  readonly threads: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** A head of the plan with the keys of its trained forms, by `held`. */
export interface FittedHead extends HeadPlan {
  readonly rows: HeadRows;
  readonly keys: readonly string[];
}

/** Trains every head in every fold, over the cores; those an earlier call left are found again. */
export async function fitHeads(options: FitHeadsOptions): Promise<FittedHead[]> {
  const { run, plan, store, classes, strength, threads, signal, onProgress } = options;
  const held = options.held ?? Array.from({ length: plan.folds }, (_, fold) => fold);
  const heads = options.heads.map((head): FittedHead => {
    const rows = rowsOf(plan, head, store.has);
    return { ...head, rows, keys: held.map((fold) => headKey(plan, rows, { held: fold, classes, strength })) };
  });
  const wanted = heads.flatMap((head) => held.map((fold, i) => ({ head, fold, key: head.keys[i] })));
  const found = await Promise.all(wanted.map(({ key }) => hasHead(run, key)));
  const missing = wanted.filter((_, i) => !found[i]);
  let done = wanted.length - missing.length;
  onProgress?.(done, wanted.length);
  if (!missing.length) return heads;
  const tasks = missing.map(
    ({ head, fold, key }): FitTask => ({
      key,
      head: head.name,
      rows: head.rows,
      split: splitRows(plan, head.rows, fold),
    }),
  );
  const pool = await createPool(
    fitJob,
    { run, d: store.d, c: classes.length, strength },
    { threads: Math.min(threads, tasks.length), tasksPerThread: headsAhead(tasks.length, threads) },
  );
  try {
    await pool.forEach(tasks, () => onProgress?.(++done, wanted.length), signal);
  } finally {
    await pool.close();
  }
  return heads;
}

/**
 * Heads that a thread holds at a time, so that it goes on while the main thread is busy: up to half of its share, since
 * they take about equally long.
 */
const headsAhead = (heads: number, threads: number): number =>
  Math.max(1, Math.min(8, Math.floor(heads / (2 * threads))));
