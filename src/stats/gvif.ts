import type { ModelTerm } from './anova.ts';
import type { LeastSquares } from './fit.ts';

export interface Inflation {
  readonly gvif: number;
  /** GVIF^(1/(2·df)); comparable between terms of different df, the square root of the VIF for one column. */
  readonly adjusted: number;
}

/**
 * Generalised variance inflation (Fox and Monette, 1992): det(R₁₁)·det(R₂₂)/det(R) of the estimates' correlations, which
 * is how much a term's determinant beside the intercept alone exceeds its determinant beside everything else.
 */
export function gvif(fit: LeastSquares, terms: readonly ModelTerm[], base: readonly number[]): Inflation[] {
  const usable = new Set(fit.kept);
  const columns = terms.map((term) => term.columns.filter((j) => usable.has(j)));
  const all = fit.logDeterminant([...base, ...columns.flat()]);
  const alone = fit.logDeterminant(base);
  return columns.map((own, t) => {
    if (own.length === 0) return { gvif: Number.NaN, adjusted: Number.NaN };
    const others = columns.filter((_, other) => other !== t).flat();
    const log = fit.logDeterminant([...base, ...own]) - alone - (all - fit.logDeterminant([...base, ...others]));
    return { gvif: Math.exp(log), adjusted: Math.exp(log / (2 * own.length)) };
  });
}
