import { type Accuracies, find } from './accuracies.ts';

export interface Imagenet9 {
  /** Mixed-Same minus Mixed-Rand: what a background of the right class is worth. */
  readonly backgroundGap: number | null;
  readonly mixedSame: number | null;
  readonly mixedRand: number | null;
  readonly onlyBackground: number | null;
}

/** The background gap of ImageNet-9 (Xiao et al., 2021). */
export function imagenet9(accuracies: Accuracies): Imagenet9 | null {
  const same = find(accuracies, 'mixed-same', 'mixed_same');
  const rand = find(accuracies, 'mixed-rand', 'mixed_rand');
  const only = find(accuracies, 'only-bg-t', 'only_bg_t', 'only-bg-b', 'only_bg_b');
  if (same === undefined && rand === undefined) return null;
  return {
    backgroundGap: same === undefined || rand === undefined ? null : same - rand,
    mixedSame: same ?? null,
    mixedRand: rand ?? null,
    onlyBackground: only ?? null,
  };
}

/**
 * Challenge accuracy: the share of objects that no background flips. `correct[object]` lists the outcomes of one object
 * over all the backgrounds it was put before.
 */
export function challengeAccuracy(correct: readonly (readonly boolean[])[]): number {
  return correct.filter((outcomes) => outcomes.every(Boolean)).length / correct.length;
}
