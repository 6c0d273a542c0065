import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import type { ErrorLine } from '../contracts/prediction.ts';
import type { RunRecord } from '../contracts/run-record.ts';
import { processorFacts } from '../models/onnx/int8.ts';
import { countDecodeDifferences } from './decode-differences.ts';
import { createErrorBudget } from './error-budget.ts';
import { openRunStore, type RunStore, writeErrorLines, writeRunRecord } from './folder/index.ts';
import { openMainModels } from './main-models.ts';
import { paintAhead, paints, searchesSurrogate } from './paint-ahead.ts';
import { paintingIdentity } from './painter.ts';
import { makePlan, makeTasks, type Plan, type PlanInput } from './plan.ts';
import { createPool } from './pool.ts';
import { type PredictResult, predictJob } from './predict-job.ts';

export interface RunOptions extends PlanInput {
  readonly out: string;
  readonly threads: number;
  readonly batch?: number;
  readonly offline?: boolean;
  readonly maxErrors: number;
  /** The settings as the user gave them, kept in `run.json`. */
  readonly config: unknown;
  readonly signal?: AbortSignal;
  readonly onPlan?: (plan: RunOutline) => void;
  readonly onProgress?: (done: number, total: number) => void;
  /** Backgrounds painted before the models are asked. */
  readonly onPainted?: (done: number, total: number) => void;
}

/** What will be done, before it is. */
export interface RunOutline {
  readonly samples: number;
  readonly scenarios: number;
  readonly models: number;
  /** Answers in all, and those an earlier call left. */
  readonly answers: number;
  readonly found: number;
  readonly variants: number;
  readonly warnings: readonly string[];
}

export interface RunSummary {
  readonly run: string;
  readonly rows: number;
  readonly errors: ErrorLine[];
  readonly seconds: number;
  readonly computed: number;
  readonly interrupted: boolean;
}

/** Every model on every variant. The same call continues after a kill; what is stored already is not computed again. */
export async function executeRun(options: RunOptions): Promise<RunSummary> {
  const started = performance.now();
  const out = resolve(options.out);
  const plan = await makePlan(options);
  const store = await openRunStore(out);
  try {
    const missing = await findMissing(store, plan, new Set(options.dataset.samples.map(({ id }) => id)));
    const answers = plan.wanted.reduce((sum, units) => sum + units.length, 0);
    const toDo = missing.reduce((sum, { units }) => sum + units.length, 0);
    options.onPlan?.({
      samples: new Set(plan.entries.map(({ sample }) => sample.id)).size,
      scenarios: new Set(plan.units.map((unit) => unit.scenario)).size,
      models: plan.models.length,
      warnings: plan.warnings,
      answers,
      found: answers - toDo,
      variants: missing.reduce(
        (sum, { units }) => sum + new Set(units.map((unit) => plan.units[unit].scenario)).size,
        0,
      ),
    });
    const record = {
      ...describe(options, plan),
      painting: await paintingRecord(options),
      decodeDifferences: await countDecodeDifferences(options.samples),
      started: new Date().toISOString(),
    };
    await writeRunRecord(out, record);
    const { errors, computed, usage } = toDo
      ? await compute(options, plan, missing, store, toDo)
      : { errors: [], computed: 0, usage: {} };
    await writeErrorLines(out, errors);
    const seconds = (performance.now() - started) / 1000;
    const rows = (await store.countRows('predictions')) + (await store.countRows('segmentation'));
    const interrupted = options.signal?.aborted === true;
    await writeRunRecord(out, {
      ...record,
      finished: interrupted ? null : new Date().toISOString(),
      seconds,
      rows,
      errors: errors.length,
      usage,
    });
    if (!rows && !interrupted)
      throw new UserError(`No answer could be had: ${errors[0]?.message ?? 'nothing was asked'}`, { exitCode: 1 });
    return { run: out, rows, errors, seconds, computed, interrupted };
  } finally {
    store.close();
  }
}

/** What is wanted and not stored. Rows that belong to other images, models or settings of the same name are removed. */
async function findMissing(store: RunStore, { entries, units, wanted, models }: Plan, known: ReadonlySet<string>) {
  const unitIndex = new Map(units.map((unit, i) => [unit.hash, i]));
  const entryIndex = new Map(entries.map(({ sample }, i) => [`${sample.scenario ?? ''} ${sample.id}`, i]));
  const done = entries.map(() => new Set<number>());
  for (const table of ['predictions', 'segmentation'] as const) {
    await store.removeRepeated(table);
    const stale: { unit: string; sample: string }[] = [];
    await store.forEachKey(table, (unit, sample, source) => {
      const u = unitIndex.get(unit);
      if (u === undefined) return;
      const entry = entryIndex.get(`${units[u].given ? units[u].scenario : ''} ${sample}`);
      if (entry === undefined) {
        // Outside this call's selection a row stays; of a sample that has left the dataset it goes.
        if (!known.has(sample)) stale.push({ unit, sample });
        return;
      }
      if (entries[entry].source !== source) stale.push({ unit, sample });
      else done[entry].add(u);
    });
    for (const { unit, sample } of stale) {
      const u = unitIndex.get(unit) as number;
      const entry = entryIndex.get(`${units[u].given ? units[u].scenario : ''} ${sample}`);
      if (entry !== undefined) done[entry].delete(u);
    }
    await store.remove(table, stale);
    await store.removeReplaced(
      table,
      units.map((unit) => ({ unit: unit.hash, model: models[unit.model].name, scenario: unit.scenario })),
    );
  }
  return wanted
    .map((all, entry) => ({ entry, units: all.filter((unit) => !done[entry].has(unit)) }))
    .filter(({ units: left }) => left.length);
}

async function compute(
  options: RunOptions,
  plan: Plan,
  missing: { entry: number; units: number[] }[],
  store: RunStore,
  toDo: number,
) {
  const { workers, threadsPerModel } = shareCores(options);
  const painting = paints(options.scenarios, options.generated)
    ? { ...options.painting, identity: await paintingIdentity(options.painting ?? {}) }
    : undefined;
  if (painting) await paintMissing({ ...options, painting }, plan, missing);
  const mainModels = await openMainModels(plan.models, options);
  const init = {
    entries: plan.entries,
    units: plan.units,
    models: plan.models,
    threadsPerModel,
    batch: options.batch,
    seed: options.seed,
    photographs: options.photographs,
    backgrounds: options.backgrounds,
    generated: options.generated,
    painting,
    offline: options.offline,
  };
  const pool = await createPool(predictJob, init, {
    threads: workers,
    tasksPerThread: mainModels.count ? 2 : 1,
    host: mainModels.host,
  });
  const budget = createErrorBudget(plan.entries.length, options.maxErrors);
  const tasks = [...makeTasks(missing)];
  const open = new Map<number, { left: number; results: PredictResult[] }>();
  for (const { shard } of tasks) {
    const known = open.get(shard);
    if (known) known.left++;
    else open.set(shard, { left: 1, results: [] });
  }
  let computed = 0;
  // Shards are written one after the other, while the workers go on.
  let writing = Promise.resolve();
  try {
    await pool.forEach(makeTasks(missing, options.signal), (result, { shard, work }) => {
      const collected = open.get(shard) as { left: number; results: PredictResult[] };
      collected.results.push(result);
      collected.left--;
      computed += work.reduce((sum, { units }) => sum + units.length, 0);
      options.onProgress?.(computed, toDo);
      if (collected.left === 0) {
        open.delete(shard);
        writing = writing.then(() => writeShard(store, collected.results));
      }
      budget.add(result.errors);
    });
  } finally {
    await writing;
    await pool.close();
    await mainModels.close();
  }
  const order = new Map(plan.entries.map(({ sample }, i) => [sample.id, i]));
  const errors = budget.lines.sort((a, b) => (order.get(a.sample) ?? 0) - (order.get(b.sample) ?? 0));
  return { errors, computed, usage: mainModels.usage() };
}

/** What painted, and whom the adversarial backgrounds were searched against: every other model is held out. */
async function paintingRecord({ scenarios, generated, painting = {} }: RunOptions): Promise<RunRecord['painting']> {
  if (!paints(scenarios, generated)) return undefined;
  const { surrogate, ...engine } = await paintingIdentity(painting);
  const searched = scenarios.filter(searchesSurrogate);
  const queries = Math.max(0, ...searched.map(({ params }) => Number(params.queries)));
  return { ...engine, surrogate: surrogate && searched.length ? { ...surrogate, queries } : null };
}

/** The backgrounds of what is still to be answered. */
async function paintMissing(
  options: RunOptions,
  plan: Plan,
  missing: readonly { entry: number; units: readonly number[] }[],
): Promise<void> {
  const { seed, photographs, backgrounds, generated, painting, threads, signal } = options;
  const named = new Map(options.scenarios.map((one) => [one.name, one]));
  const work = missing.map(({ entry, units }) => {
    const wanted = new Set(units.map((unit) => plan.units[unit]).filter((unit) => !unit.given));
    const names = new Set([...wanted].map(({ scenario }) => scenario));
    return { sample: plan.entries[entry].sample, scenarios: [...names].flatMap((name) => named.get(name) ?? []) };
  });
  const samples = plan.entries.map(({ sample }) => sample);
  const onProgress = options.onPainted;
  await paintAhead({ work, samples, seed, photographs, backgrounds, generated, painting, threads, signal, onProgress });
}

async function writeShard(store: RunStore, results: readonly PredictResult[]): Promise<void> {
  await store.write(
    'predictions',
    results.flatMap(({ predictions }) => predictions),
  );
  await store.write(
    'segmentation',
    results.flatMap(({ segmentation }) => segmentation),
  );
}

/** Worker threads and threads of the runtime together never exceed the cores; big models get fewer copies. */
export function shareCores({ threads, models }: Pick<RunOptions, 'threads' | 'models'>): {
  workers: number;
  threadsPerModel: number;
} {
  const bytes = models.reduce((sum, { description }) => sum + Number(description.identity.bytes ?? 0), 0);
  // A loaded model takes about three times its file with its working memory; half the machine is left to others.
  const copies = bytes ? Math.max(1, Math.floor(totalmem() / 2 / (3 * bytes))) : threads;
  const workers = Math.max(1, Math.min(threads, copies));
  return { workers, threadsPerModel: Math.max(1, Math.floor(threads / workers)) };
}

/** Everything that decides a number. */
function describe(options: RunOptions, plan: Plan) {
  return {
    sceneshift: options.version,
    config: options.config,
    seed: options.seed,
    data: {
      path: options.dataset.path,
      layout: options.dataset.layout,
      hash: plan.dataHash,
      samples: plan.entries.length,
      classes: options.dataset.classes,
    },
    photographs: options.photographs,
    scenarios: [...new Set(plan.units.map((unit) => unit.scenario))],
    models: options.models.map(({ description }, i) => ({
      name: description.name,
      kind: description.kind,
      source: description.source,
      identity: description.identity,
      parameters: description.parameters ?? null,
      preprocessing: description.preprocessing,
      labelsFrom: description.labelsFrom,
      ownOutputs: plan.models[i].map.own,
      ownNames: plan.models[i].map.own.map((output) => plan.models[i].map.names[output]),
      warnings: description.warnings,
    })),
    labelMap: options.labelMap ?? null,
    units: Object.fromEntries(
      plan.units.map((unit) => [
        unit.hash,
        { model: plan.models[unit.model].name, scenario: unit.scenario, given: unit.given },
      ]),
    ),
    versions: { node: process.versions.node, platform: `${process.platform}-${process.arch}` },
    processor: processorFacts(),
    threads: options.threads,
  };
}
