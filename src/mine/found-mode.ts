import type { FailureMode } from '../contracts/mining.ts';
import type { PoolItem } from './pool.ts';

/** Before the correction. */
export type FoundMode = Omit<FailureMode, 'pCorrected'>;

/** A property that fewer prompts share is not reported: too few to tell from chance. */
export const leastPrompts = 3;
const mostExamples = 48;

export function examplesOf(items: readonly PoolItem[]): FailureMode['examples'] {
  const seen = new Map(items.map(({ scenario, sample }) => [`${scenario}\u0000${sample}`, { scenario, sample }]));
  return [...seen.values()].slice(0, mostExamples);
}
