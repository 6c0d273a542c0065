import { chiSquaredSurvival } from './chi-squared.ts';
import type { DesignColumn } from './columns.ts';
import type { LeastSquares } from './fit.ts';
import { leastSquares } from './least-squares.ts';
import { mean } from './moments.ts';
import { normalQuantile } from './normal.ts';

/**
 * Breusch and Pagan's (1979) test for a variance that depends on the regressors, studentised by Koenker (1981):
 * n·R² of the squared residuals on the design.
 */
export function breuschPagan(columns: readonly DesignColumn[], residuals: Float64Array) {
  const squares = residuals.map((e) => e * e);
  const centre = mean(squares);
  const total = squares.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  const fit = leastSquares(columns, { values: squares });
  const df = fit.rank - 1;
  if (!(total > 0) || df < 1) return null;
  const statistic = residuals.length * (1 - fit.rss / total);
  return { statistic, df, p: chiSquaredSurvival(statistic, df) };
}

/** Σ(eᵢ − eᵢ₋₁)² / Σeᵢ², near 2 where neighbours in the order are independent. */
export function durbinWatson(residuals: Float64Array): number {
  let [steps, total] = [0, 0];
  for (let i = 0; i < residuals.length; i++) {
    if (i > 0) steps += (residuals[i] - residuals[i - 1]) ** 2;
    total += residuals[i] ** 2;
  }
  return steps / total;
}

/** Cook's (1977) distance: how far all estimates move, in their own errors, if a row is left out. NaN at leverage 1. */
export function cooksDistance(fit: LeastSquares, leverage: Float64Array, weights?: Float64Array): Float64Array {
  const variance = fit.rss / fit.df;
  return fit.residuals.map((e, i) => {
    const h = leverage[i];
    if (h >= 1 - 1e-9) return Number.NaN;
    return ((weights?.[i] ?? 1) * e * e * h) / (fit.rank * variance * (1 - h) ** 2);
  });
}

/** Points of a normal QQ plot: expected quantile (R's ppoints) and value, sorted. */
export function qqPoints(values: ArrayLike<number>): { expected: Float64Array; observed: Float64Array } {
  const observed = Float64Array.from(values).sort();
  const n = observed.length;
  const a = n <= 10 ? 3 / 8 : 1 / 2;
  return { expected: observed.map((_, i) => normalQuantile((i + 1 - a) / (n + 1 - 2 * a))), observed };
}
