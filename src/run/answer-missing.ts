import { createErrorBudget, type ErrorBudget } from './error-budget.ts';
import { openMainModels } from './main-models.ts';
import { paintAhead, paints } from './paint-ahead.ts';
import { paintingIdentity } from './painter.ts';
import type { Plan, PlanInput } from './plan.ts';
import { createPool } from './pool.ts';
import { type MissingAnswers, type PredictResult, type PredictTask, predictJob } from './predict-job.ts';
import { shareCores } from './share-cores.ts';

export interface AnswerOptions extends PlanInput {
  readonly threads: number;
  readonly batch?: number;
  readonly offline?: boolean;
  readonly maxErrors: number;
  readonly signal?: AbortSignal;
  /** Rows and errors, as they come; where they go is the caller's business. */
  readonly onResult: (result: PredictResult) => void | Promise<void>;
  /** Backgrounds painted before the models are asked. */
  readonly onPainted?: (done: number, total: number) => void;
}

export interface Answered {
  readonly errors: ErrorBudget['lines'];
  /** What was spent, by model. */
  readonly usage: Record<string, Readonly<Record<string, number>>>;
}

/** Carries out any part of a plan, on the threads of this machine. It knows neither the folder nor what came before. */
export async function answerMissing(
  options: AnswerOptions,
  plan: Plan,
  missing: readonly MissingAnswers[],
): Promise<Answered> {
  const { seed, photographs, backgrounds, generated, batch, offline, signal } = options;
  const { workers, threadsPerModel } = shareCores(options);
  const painting = paints(options.scenarios, generated)
    ? { ...options.painting, identity: await paintingIdentity(options.painting ?? {}) }
    : undefined;
  if (painting) await paintMissing({ ...options, painting }, plan, missing);
  const mainModels = await openMainModels(plan.models, options);
  const budget = createErrorBudget(plan.entries.length, options.maxErrors);
  const { entries, units, models } = plan;
  const scene = { seed, photographs, backgrounds, generated, painting };
  try {
    const pool = await createPool(
      predictJob,
      { entries, units, models, threadsPerModel, batch, offline, ...scene },
      { threads: workers, tasksPerThread: mainModels.count ? 2 : 1, host: mainModels.host },
    );
    try {
      await pool.forEach(
        makeTasks(missing),
        async (result) => {
          await options.onResult(result);
          budget.add(result.errors);
        },
        signal,
      );
    } finally {
      await pool.close();
    }
  } finally {
    await mainModels.close();
  }
  const order = new Map(entries.map(({ sample }, i) => [sample.id, i]));
  const errors = budget.lines.sort((a, b) => (order.get(a.sample) ?? 0) - (order.get(b.sample) ?? 0));
  return { errors, usage: mainModels.usage() };
}

/** Tasks of a few batches' worth: large enough to fill them, small enough that no core waits long for the last one. */
function* makeTasks(missing: readonly MissingAnswers[]): Generator<PredictTask> {
  const perSample = missing.reduce((most, { units }) => Math.max(most, units.length), 1);
  const size = Math.min(16, Math.max(1, Math.round(32 / perSample)));
  for (let at = 0; at < missing.length; at += size) yield { work: missing.slice(at, at + size) };
}

/** The backgrounds of what is still to be answered. */
async function paintMissing(options: AnswerOptions, plan: Plan, missing: readonly MissingAnswers[]): Promise<void> {
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
