import type { CrashGuard } from './crash-guard.ts';
import { createErrorBudget, type ErrorBudget } from './error-budget.ts';
import { openMainModels } from './main-models.ts';
import { paintAhead, paints } from './paint-ahead.ts';
import { paintingIdentity } from './painter.ts';
import type { Plan, PlanInput } from './plan.ts';
import { createPool } from './pool.ts';
import { type MissingAnswers, nothingYet, type PredictResult, type PredictTask, predictJob } from './predict-job.ts';
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

export interface AnsweredRun {
  readonly errors: ErrorBudget['lines'];
  /** What was spent, by model. */
  readonly usage: Record<string, Readonly<Record<string, number>>>;
  /** Fulfilled when the threads and models are closed, which what comes next need not wait for. */
  readonly closed?: Promise<void>;
}

/** Threads with the models of a plan loaded, which answer any part of it, one part after the other. */
export interface AnswerService {
  answer(
    missing: readonly MissingAnswers[],
    onResult: (result: PredictResult) => void | Promise<void>,
    options?: {
      readonly signal?: AbortSignal;
      /**
       * Called when the threads have taken all of this part: the next part may be asked for, and queues up behind it.
       */
      readonly onHandedOut?: () => void;
    },
  ): Promise<Pick<AnsweredRun, 'errors'>>;
  usage(): AnsweredRun['usage'];
  close(): Promise<void>;
}

type ServiceOptions = Omit<AnswerOptions, 'onResult' | 'signal'>;

/** Gets all it needs as arguments: it reads no run folder and no earlier results. */
export async function openAnswering(options: ServiceOptions, plan: Plan): Promise<AnswerService> {
  const { seed, photographs, backgrounds, generated, batch, offline } = options;
  const { workers, threadsPerModel } = shareCores(options);
  const painting = paints(options.scenarios, generated)
    ? { ...options.painting, identity: await paintingIdentity(options.painting ?? {}) }
    : undefined;
  const { plannedSamples, conditions, models } = plan;
  const scene = { seed, photographs, backgrounds, generated, painting };
  const order = new Map(plannedSamples.map(({ sample }, i) => [sample.id, i]));
  const mainModels = await openMainModels(models, options);
  const openPool = () =>
    createPool(
      predictJob,
      { plannedSamples, conditions, models, threadsPerModel, batch, offline, ...scene },
      { threads: workers, tasksPerThread: mainModels.count ? 3 : 2, host: mainModels.host, guard: guardOf(plan) },
    );
  let pool: Awaited<ReturnType<typeof openPool>> | undefined;
  return {
    async answer(missing, onResult, { signal, onHandedOut } = {}) {
      if (painting) await paintMissing({ ...options, painting, signal }, plan, missing);
      const budget = createErrorBudget(plannedSamples.length, options.maxErrors);
      pool ??= await openPool();
      await pool.forEach(
        thenTell(makeTasks(missing, plan, workers), onHandedOut),
        async (result) => {
          await onResult(result);
          budget.add(result.errors);
        },
        signal,
      );
      return { errors: budget.lines.sort((a, b) => (order.get(a.sample) ?? 0) - (order.get(b.sample) ?? 0)) };
    },
    usage: () => mainModels.usage(),
    async close() {
      await pool?.close();
      await mainModels.close();
    },
  };
}

/** Carries out a part of a plan on the threads of this machine. */
export async function answerMissing(
  { onResult, signal, ...options }: AnswerOptions,
  plan: Plan,
  missing: readonly MissingAnswers[],
): Promise<AnsweredRun> {
  const service = await openAnswering(options, plan);
  try {
    const { errors } = await service.answer(missing, onResult, { signal });
    const usage = service.usage();
    const closed = service.close();
    // Told by whoever waits for it.
    closed.catch(() => undefined);
    return { errors, usage, closed };
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** Tasks of a few batches' worth, large enough to fill them; the last ones small, so that no core waits long for another. */
export function* makeTasks(
  missing: readonly MissingAnswers[],
  { conditions }: Pick<Plan, 'conditions'>,
  workers: number,
): Generator<PredictTask> {
  const perSample = missing.reduce((most, one) => Math.max(most, one.conditions.length), 1);
  const size = Math.min(16, Math.max(1, Math.round(32 / perSample)));
  const [single, halved] = [missing.length - 4 * workers, missing.length - 2 * workers];
  for (let at = 0; at < missing.length; ) {
    const end = at + (at < single ? size : 1);
    const work = missing.slice(at, end);
    if (at < halved) yield { work };
    else for (const one of work.flatMap((sample) => inHalves(sample, conditions))) yield { work: [one] };
    at = end;
  }
}

/** One photograph's answers may be a second's work. */
function inHalves(one: MissingAnswers, conditions: Plan['conditions']): MissingAnswers[] {
  const scenarioOf = (condition: number) => conditions[condition].scenario;
  const scenarios = [...new Set(one.conditions.map(scenarioOf))];
  if (one.conditions.length < 16 || scenarios.length < 2) return [one];
  const first = new Set(scenarios.slice(0, scenarios.length >> 1));
  return [true, false].map((isFirst) => ({
    ...one,
    conditions: one.conditions.filter((condition) => first.has(scenarioOf(condition)) === isFirst),
  }));
}

function* thenTell<T>(all: Iterable<T>, tell?: () => void): Generator<T> {
  yield* all;
  tell?.();
}

const guardOf = ({ plannedSamples }: Plan): CrashGuard<PredictTask, PredictResult> => ({
  samples: ({ work }) => work.map(({ sampleIndex }) => plannedSamples[sampleIndex].sample),
  split: ({ work }) => work.map((one) => ({ work: [one] })),
  leaveOut: ({ work }, line) => ({
    ...nothingYet(),
    errors: [line],
    settled: work.reduce((sum, { conditions }) => sum + conditions.length, 0),
  }),
});

/** The backgrounds of what is still to be answered. */
async function paintMissing(
  options: ServiceOptions & Pick<AnswerOptions, 'signal'>,
  plan: Plan,
  missing: readonly MissingAnswers[],
): Promise<void> {
  const { seed, photographs, backgrounds, generated, painting, threads, signal } = options;
  const named = new Map(options.scenarios.map((one) => [one.name, one]));
  const work = missing.map(({ sampleIndex, conditions }) => {
    const wanted = new Set(
      conditions.map((condition) => plan.conditions[condition]).filter((condition) => !condition.given),
    );
    const names = new Set([...wanted].map(({ scenario }) => scenario));
    return {
      sample: plan.plannedSamples[sampleIndex].sample,
      scenarios: [...names].flatMap((name) => named.get(name) ?? []),
    };
  });
  const samples = plan.plannedSamples.map(({ sample }) => sample);
  const onProgress = options.onPainted;
  await paintAhead({ work, samples, seed, photographs, backgrounds, generated, painting, threads, signal, onProgress });
}
