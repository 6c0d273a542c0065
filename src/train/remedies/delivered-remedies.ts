import type { ErrorLine } from '../../contracts/prediction.ts';
import type { RemedyComparison } from '../../contracts/remedies.ts';
import { createErrorBudget } from '../../run/error-budget.ts';
import { openMainModels } from '../../run/main-models.ts';
import { makePlan, type PlanInput } from '../../run/plan.ts';
import { createPool } from '../../run/pool.ts';
import { compareRemedies } from './compare-remedies.ts';
import type { Outcomes } from './outcomes.ts';
import { viewTitle } from './remedies.ts';
import { type ViewsInit, viewsJob } from './views-job.ts';

export interface DeliveredHelpsOptions extends PlanInput {
  /** Views of the object, by mask or by salience. */
  readonly views: readonly string[];
  readonly salient?: ViewsInit['salient'];
  /** Count answers over the dataset's own classes. */
  readonly own?: boolean;
  readonly batch?: number;
  readonly offline?: boolean;
  readonly threads: number;
  readonly maxErrors: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** What helps a model as it was delivered: the object shown otherwise at test time. Nothing is trained. */
export async function deliveredRemedies(
  options: DeliveredHelpsOptions,
): Promise<{ helps: RemedyComparison; errors: ErrorLine[] }> {
  const plan = await makePlan(options);
  const [model] = plan.models;
  const scenarios = [...new Set(plan.conditions.filter(({ given }) => !given).map(({ scenario }) => scenario))];
  const plannedSamples = plan.plannedSamples.filter(({ sample }) => sample.scenario === undefined);
  const main = await openMainModels([model], options);
  const { seed, photographs, backgrounds, generated, painting, batch, offline, salient, threads } = options;
  const pool = await createPool(
    viewsJob,
    {
      plannedSamples,
      scenarios,
      views: ['plain', ...options.views],
      model,
      salient,
      threadsPerModel: 1,
      batch,
      seed,
      photographs,
      backgrounds,
      generated,
      painting,
      offline,
    },
    {
      threads,
      host: main.host,
    },
  );
  const budget = createErrorBudget(plannedSamples.length, options.maxErrors);
  const outcomes = new Map<string, Map<string, Map<string, boolean>>>();
  let done = 0;
  try {
    await pool.forEach(
      plannedSamples.keys(),
      ({ answers, errors }) => {
        for (const { view, scenario, sample, correct, correctOwn } of answers) {
          const own = outcomes.get(view) ?? new Map<string, Map<string, boolean>>();
          outcomes.set(view, own);
          own.set(scenario, (own.get(scenario) ?? new Map()).set(sample, options.own ? correctOwn : correct));
        }
        options.onProgress?.(++done, plannedSamples.length);
        budget.add(errors);
      },
      options.signal,
    );
  } finally {
    await pool.close();
    await main.close();
  }
  // Tasks end in any order; the scenarios are shown in the one asked for.
  const ordered = (view: string): Outcomes =>
    new Map(
      scenarios.flatMap((scenario) => {
        const own = outcomes.get(view)?.get(scenario);
        return own ? [[scenario, own] as const] : [];
      }),
    );
  const groups = new Map(plannedSamples.map(({ sample }) => [sample.id, sample.group]));
  const helps = compareRemedies({
    model: model.name,
    plain: 'as delivered, shown the pictures as they are',
    outcomes: ordered('plain'),
    trials: options.views.map((view) => ({
      remedy: view,
      title: viewTitle(view),
      when: 'test',
      outcomes: ordered(view),
    })),
    groupOf: (sample) => groups.get(sample),
  });
  return { helps, errors: budget.lines };
}
