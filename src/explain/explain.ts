import { join } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import type { ErrorLine } from '../contracts/prediction.ts';
import { isInShare } from '../contracts/queue.ts';
import type { SaliencyIndex, SaliencyMethod } from '../contracts/saliency.ts';
import { sweepPartial, writeAtomic } from '../run/atomic.ts';
import { createErrorBudget } from '../run/error-budget.ts';
import { createShardWriter, openRunStore, type RunStore } from '../run/folder/index.ts';
import { hashJson } from '../run/hash.ts';
import { openMainModels } from '../run/main-models.ts';
import { inFolder, type PartOptions } from '../run/part.ts';
import { makePlan, type Plan, type PlanInput } from '../run/plan.ts';
import { createPool } from '../run/pool.ts';
import { shareCores } from '../run/share-cores.ts';
import { chooseSamples, type WantedSamples } from './choose.ts';
import { chooseMethod, type MethodChoice } from './choose-method.ts';
import {
  type ExplainCondition,
  type ExplainInit,
  type ExplainModel,
  type ExplainTask,
  explainJob,
} from './explain-job.ts';
import { type ExplainSettings, settingsOf } from './options.ts';

export interface ExplainOptions extends PlanInput, PartOptions {
  /** The run whose predictions say what flipped. */
  readonly run: string;
  /** Where `saliency/` goes. */
  readonly out: string;
  readonly wanted: WantedSamples;
  readonly method: SaliencyMethod | 'auto';
  readonly layer?: string;
  readonly settings: ExplainSettings;
  readonly threads: number;
  readonly batch?: number;
  readonly offline?: boolean;
  readonly maxErrors: number;
  readonly signal?: AbortSignal;
  readonly onPlan?: (outline: ExplainOutline) => void;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface ExplainOutline {
  readonly index: SaliencyIndex;
  readonly variants: number;
  readonly found: number;
  readonly dataHash: string;
  readonly warnings: readonly string[];
}

export interface ExplainSummary {
  readonly out: string;
  readonly index: SaliencyIndex;
  readonly computed: number;
  readonly errors: ErrorLine[];
  readonly seconds: number;
  readonly interrupted: boolean;
}

/** Maps of chosen samples under every scenario and model. The same call goes on after a kill and ends the same. */
export async function explainRun(options: ExplainOptions): Promise<ExplainSummary> {
  return inFolder(options.out, options, () => explainInto(options));
}

async function explainInto(options: ExplainOptions): Promise<ExplainSummary> {
  const started = performance.now();
  const plan = await makePlan(options);
  const models = await Promise.all(plan.models.map((model) => chooseMethod(model.description, options)));
  const chosen = await chooseSamples(options.wanted, {
    run: options.run,
    samples: options.samples,
    models: plan.models.map(({ name }) => name),
    scenarios: [...new Set(plan.conditions.map(({ scenario }) => scenario))],
    seed: options.seed,
  });
  const index: SaliencyIndex = {
    selection: chosen.selection,
    samples: [...chosen.ids].sort(),
    scenarios: [...new Set(plan.conditions.map(({ scenario }) => scenario))],
    models: models.map(({ method, layer, why }, m) => ({ model: plan.models[m].name, method, layer, why })),
    explained: options.settings.explained,
    baseline: options.settings.baseline,
    steps: options.settings.steps,
  };
  const conditions = conditionsOf(plan, models, options.settings);
  const own = ownSamples(plan, chosen.ids, options);
  const store = await openRunStore(options.out, { sweep: !options.sideBySide });
  try {
    if (!options.sideBySide) await removeReplaced(store, plan, conditions);
    let tasks = await findMissing(store, plan, conditions, own);
    if (options.elsewhere && tasks.length) {
      const places = new Map([...own].map((sampleIndex, place) => [sampleIndex, place]));
      await options.elsewhere(tasks.map(({ sampleIndex }) => places.get(sampleIndex) as number));
      tasks = await findMissing(store, plan, conditions, own);
    }
    const total = plan.wanted.reduce((sum, wanted, sampleIndex) => sum + (own.has(sampleIndex) ? wanted.length : 0), 0);
    const missing = tasks.reduce((sum, task) => sum + task.conditions.length, 0);
    const { dataHash, warnings } = plan;
    options.onPlan?.({ index, variants: total, found: total - missing, dataHash, warnings });
    const errors = missing ? await compute(options, { plan, models, conditions, tasks, store, missing }) : [];
    const interrupted = options.signal?.aborted === true;
    if (!interrupted) await writeAtomic(options.out, 'saliency/index.json', `${JSON.stringify(index, null, 2)}\n`);
    if (!options.sideBySide) await sweepPartial(options.out);
    const computed = missing - errors.length;
    return {
      out: join(options.out, 'saliency'),
      index,
      computed,
      errors,
      seconds: (performance.now() - started) / 1000,
      interrupted,
    };
  } finally {
    store.close();
  }
}

/** What names a row: all that decides the answer, and all that decides the map. */
function conditionsOf(plan: Plan, models: readonly MethodChoice[], settings: ExplainSettings): ExplainCondition[] {
  return plan.conditions.map(({ hash, model, scenario, given }) => {
    const { method, layer } = models[model];
    return {
      hash: hashJson({ answer: hash, method, layer, settings: settingsOf(method, settings) }),
      model,
      scenario,
      given,
    };
  });
}

/** Places of the chosen samples, or of those among them that are in the share. */
function ownSamples({ plannedSamples }: Plan, chosen: ReadonlySet<string>, { share }: PartOptions): Set<number> {
  const places = [...plannedSamples.keys()].filter((place) => chosen.has(plannedSamples[place].sample.id));
  return new Set(places.filter((_, i) => isInShare(i, share)));
}

/** Maps of the same model and scenario that were made another way. */
const removeReplaced = (store: RunStore, { models }: Plan, conditions: readonly ExplainCondition[]) =>
  store.removeReplaced(
    'saliency',
    conditions.map(({ hash, model, scenario }) => ({ condition: hash, model: models[model].name, scenario })),
  );

async function findMissing(
  store: RunStore,
  { plannedSamples, wanted }: Plan,
  conditions: readonly ExplainCondition[],
  own: ReadonlySet<number>,
): Promise<ExplainTask[]> {
  const keyOf = (condition: string, sample: string, sampleHash: string) => `${condition} ${sampleHash} ${sample}`;
  const done = new Set<string>();
  await store.forEachKey('saliency', (condition, sample, sampleHash) => done.add(keyOf(condition, sample, sampleHash)));
  return wanted.flatMap((all, sampleIndex) => {
    const { sample, sampleHash } = plannedSamples[sampleIndex];
    if (!own.has(sampleIndex)) return [];
    const missing = all.filter((condition) => !done.has(keyOf(conditions[condition].hash, sample.id, sampleHash)));
    return missing.length ? [{ sampleIndex, conditions: missing }] : [];
  });
}

interface Work {
  readonly plan: Plan;
  readonly models: readonly MethodChoice[];
  readonly conditions: readonly ExplainCondition[];
  readonly tasks: readonly ExplainTask[];
  readonly store: RunStore;
  readonly missing: number;
}

/** Maps take long: fewer of them make a shard than answers do. */
const shardRows = 96;

async function compute(options: ExplainOptions, { plan, models, conditions, tasks, store, missing }: Work) {
  const { workers, threadsPerModel } = shareCores(options);
  const mainModels = await openMainModels(plan.models, options);
  const init: ExplainInit = {
    plannedSamples: plan.plannedSamples,
    conditions,
    models: plan.models.map((model, m): ExplainModel => ({ ...model, ...models[m] })),
    settings: options.settings,
    out: options.out,
    threadsPerModel,
    batch: options.batch,
    seed: options.seed,
    photographs: options.photographs,
    backgrounds: options.backgrounds,
    generated: options.generated,
    painting: options.painting,
    offline: options.offline,
  };
  const threads = Math.min(workers, tasks.length);
  const pool = await createPool(explainJob, init, {
    threads,
    tasksPerThread: mainModels.count ? 2 : 1,
    host: mainModels.host,
    guard: {
      samples: ({ sampleIndex }) => [plan.plannedSamples[sampleIndex].sample],
      leaveOut: (_, line) => ({ rows: [], errors: [line] }),
    },
  });
  const budget = createErrorBudget(tasks.length, options.maxErrors);
  const writer = createShardWriter(store, { rows: shardRows });
  let done = 0;
  try {
    await pool
      .forEach(
        tasks,
        (result, task) => {
          writer.add({ saliency: result.rows });
          done += task.conditions.length;
          options.onProgress?.(done, missing);
          budget.add(result.errors);
        },
        options.signal,
      )
      .finally(writer.finish);
  } finally {
    // Also where the last shard could not be written: threads that are left keep the process alive.
    await pool.close();
    await mainModels.close();
  }
  if (budget.lines.length && done === missing && (await store.countRows('saliency')) === 0)
    throw new UserError(`Nothing could be explained: ${budget.lines[0].message}`, { exitCode: 1 });
  return budget.lines;
}
