import type { DesignColumn } from './columns.ts';
import { aliasTolerance, type LeastSquares } from './fit.ts';
import { gramFit } from './gram-fit.ts';
import { householder } from './householder.ts';

/** Rows × columns² up to which the design itself is factorised, in 32 digits. */
const householderLimit = 8e6;

export interface LeastSquaresOptions {
  readonly weights?: Float64Array;
  readonly tolerance?: number;
  readonly method?: 'householder' | 'gram' | 'auto';
}

/**
 * Least squares by Householder QR in 32 digits; designs too large for that by the triangle of their cross-products, which
 * are summed from the non-zero entries in 32 digits too. Rows of weight zero must have been left out by the caller.
 */
export function leastSquares(
  columns: readonly DesignColumn[],
  y: DesignColumn,
  { weights, tolerance = aliasTolerance, method = 'auto' }: LeastSquaresOptions = {},
): LeastSquares {
  const small = y.values.length * columns.length ** 2 <= householderLimit;
  return method === 'gram' || (method === 'auto' && !small)
    ? gramFit(columns, y, weights, tolerance)
    : householder(columns, y, weights, tolerance);
}
