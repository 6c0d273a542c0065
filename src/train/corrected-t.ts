import { tQuantile, tTwoSided } from '../stats/student-t.ts';

export interface CorrectedTest {
  readonly difference: number;
  /** Standard deviation over the folds. */
  readonly spread: number | null;
  readonly t: number | null;
  readonly df: number;
  readonly p: number | null;
  readonly ci: [number, number] | null;
}

/**
 * Corrected resampled t test (Nadeau and Bengio, 2003): training sets of different folds overlap, so the variance of a
 * mean over k folds is not s²/k but (1/k + n_test/n_train)·s². `testShare` is n_test/n_train, 1/(k − 1) for k folds.
 */
export function correctedT(differences: readonly number[], testShare: number): CorrectedTest {
  const k = differences.length;
  const difference = differences.reduce((sum, value) => sum + value, 0) / k;
  const df = k - 1;
  if (k < 2) return { difference, spread: null, t: null, df, p: null, ci: null };
  const variance = differences.reduce((sum, value) => sum + (value - difference) ** 2, 0) / df;
  const error = Math.sqrt((1 / k + testShare) * variance);
  // Folds that all differ by the same amount say nothing about chance.
  if (!(error > 1e-12))
    return { difference, spread: Math.sqrt(variance), t: null, df, p: difference === 0 ? 1 : null, ci: null };
  const t = difference / error;
  const reach = tQuantile(0.975, df) * error;
  return {
    difference,
    spread: Math.sqrt(variance),
    t,
    df,
    p: tTwoSided(t, df),
    ci: [difference - reach, difference + reach],
  };
}
