import type { Accuracies } from './accuracies.ts';

/**
 * ImageNet-X's error ratio (Idrissi et al., 2022), with a scenario for a factor: how many times more often the model is
 * wrong under it than over all. Above 1: the scenario is harder than the rest. Null where the model is never wrong.
 */
export function errorRatios(accuracies: Accuracies): Record<string, number> | null {
  const cells = [...accuracies];
  const images = cells.reduce((sum, [, { n }]) => sum + n, 0);
  const overall = cells.reduce((sum, [, { accuracy, n }]) => sum + (1 - accuracy) * n, 0) / images;
  if (!(overall > 0)) return null;
  return Object.fromEntries(cells.map(([scenario, { accuracy }]) => [scenario, (1 - accuracy) / overall]));
}
