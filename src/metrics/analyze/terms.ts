import type { AnalysisTerm, starMarks } from '../../contracts/analysis.ts';
import { normalTwoSided } from '../../stats/normal.ts';
import { tQuantile, tTwoSided } from '../../stats/student-t.ts';

/** As GraphPad prints them: ns above 0.05, **** below 0.0001. */
export function stars(p: number | null): (typeof starMarks)[number] | null {
  if (p === null || Number.isNaN(p)) return null;
  if (p < 0.0001) return '****';
  if (p <= 0.001) return '***';
  if (p <= 0.01) return '**';
  return p <= 0.05 ? '*' : 'ns';
}

export interface TermErrors {
  /** Over `kept`, in order. */
  readonly covariance: Float64Array;
  readonly kept: readonly number[];
  /** ∞: the normal distribution. */
  readonly df: number;
  readonly level: number;
}

/** The coefficient table: estimable columns with error, statistic, P and interval. */
export function coefficientTable(
  names: readonly string[],
  coefficients: Float64Array,
  { covariance, kept, df, level }: TermErrors,
  infinite: ReadonlyMap<number, 1 | -1> = new Map(),
): AnalysisTerm[] {
  const size = kept.length;
  const place = new Map(kept.map((j, k) => [j, k]));
  const critical = df > 0 ? -tQuantile((1 - level) / 2, df) : Number.NaN;
  return names.flatMap((term, j): AnalysisTerm[] => {
    const sign = infinite.get(j);
    if (sign) return [{ ...empty(term), infinite: sign > 0 ? '+' : '-' }];
    const k = place.get(j);
    if (k === undefined) return [];
    const estimate = coefficients[j];
    const se = Math.sqrt(covariance[k * size + k]);
    if (!Number.isFinite(se)) return [{ ...empty(term), estimate }];
    const statistic = estimate / se;
    if (!Number.isFinite(statistic)) return [{ ...empty(term), estimate, se, ci: [estimate, estimate] }];
    const p = df === Number.POSITIVE_INFINITY ? normalTwoSided(statistic) : tTwoSided(statistic, df);
    const reach = critical * se;
    return [{ term, estimate, se, statistic, p, stars: stars(p), ci: [estimate - reach, estimate + reach] }];
  });
}

const empty = (term: string): AnalysisTerm => ({
  term,
  estimate: null,
  se: null,
  statistic: null,
  p: null,
  stars: null,
  ci: null,
});

/** Correlations of the estimates. */
export function correlationMatrix(names: readonly string[], { covariance, kept }: TermErrors) {
  const size = kept.length;
  if (size > 200) return null;
  const spread = kept.map((_, k) => Math.sqrt(covariance[k * size + k]));
  const matrix = kept.map((_, a) =>
    kept.map((_, b) => {
      if (a === b) return 1;
      const value = covariance[a * size + b] / (spread[a] * spread[b]);
      return Number.isFinite(value) ? value : null;
    }),
  );
  return { terms: kept.map((j) => names[j]), matrix };
}

export const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);
