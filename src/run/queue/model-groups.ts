import type { Plan } from '../plan.ts';
import type { MissingAnswers } from '../predict-job.ts';
import type { AnswersToChunk } from './chunks.ts';

/** Which models are held together: all, or so many at a time. */
export function modelGroups(count: number, atOnce: number | undefined): (readonly number[] | undefined)[] {
  if (atOnce === undefined || atOnce >= count) return [undefined];
  const all = [...Array(count).keys()];
  return Array.from({ length: Math.ceil(count / atOnce) }, (_, i) => all.slice(i * atOnce, (i + 1) * atOnce));
}

/** The part of the answers that these models give. */
export function answersOfModels(
  { wanted, conditions }: Pick<Plan, 'wanted' | 'conditions'>,
  missing: readonly MissingAnswers[],
  models: readonly number[] | undefined,
): AnswersToChunk {
  if (!models) return { wanted, missing };
  const asked = new Set(models);
  const own = (all: readonly number[]) => all.filter((condition) => asked.has(conditions[condition].model));
  return {
    wanted: wanted.map(own),
    missing: missing
      .map((one) => ({ ...one, conditions: own(one.conditions) }))
      .filter((one) => one.conditions.length > 0),
  };
}

/**
 * The plan with these models alone. Conditions keep their places, by which chunks name them; those of other models are not to be
 * asked.
 */
export function planOfModels(plan: Plan, models: readonly number[]): Plan {
  for (const model of models) if (!plan.models[model]) throw new Error(`the run has no model at place ${model}`);
  return {
    ...plan,
    models: models.map((model) => plan.models[model]),
    conditions: plan.conditions.map((condition) => ({ ...condition, model: models.indexOf(condition.model) })),
    plannedSamples: plan.plannedSamples.map((planned) => ({
      ...planned,
      targets: models.map((model) => planned.targets[model]),
    })),
  };
}
