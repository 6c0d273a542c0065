import { isContrived, partOf } from '../scenarios/registry.ts';

/** What scores count: the shifts alone, or (the papers' own sum) every scenario but `original`. */
export const countChoices = ['shifts', 'all'] as const;
export type CountedScenarios = (typeof countChoices)[number];

/** Whether a scenario counts in robustness, drops, rankings, gates, regression and verdict. The one place that says so. */
export function isCounted(scenario: string, count: CountedScenarios = 'shifts'): boolean {
  const part = partOf(scenario);
  return part === 'shift' || (count === 'all' && part !== 'original');
}

/** Of the counted scenarios, those that may be called what breaks a model most: pictures that a camera could have made. */
export const mayBeWorst = (scenario: string): boolean => !isContrived(scenario);
