import { fSurvival } from './f.ts';
import type { LeastSquares } from './fit.ts';

/** A term of a model: which variables it joins, and its design columns. */
export interface ModelTerm {
  readonly label: string;
  readonly variables: readonly number[];
  readonly columns: readonly number[];
}

export interface AnovaRow {
  readonly term: string;
  readonly df: number;
  readonly ss: number;
  readonly f: number | null;
  readonly p: number | null;
}

export const contains = (outer: ModelTerm, inner: ModelTerm): boolean =>
  outer !== inner && inner.variables.every((v) => outer.variables.includes(v));

/**
 * Type II: each term against the model with all terms that do not contain it, over the residual of the full model.
 * `base`: columns outside all terms, the intercept.
 */
export function typeTwoAnova(fit: LeastSquares, terms: readonly ModelTerm[], base: readonly number[]): AnovaRow[] {
  const residual = fit.rss / fit.df;
  return terms.map((term) => {
    const others = terms.filter((other) => other !== term && !contains(other, term));
    const smaller = [...base, ...others.flatMap((other) => other.columns)];
    const { ss, df } = fit.beyond(smaller, [...smaller, ...term.columns]);
    const testable = df > 0 && fit.df > 0 && residual > 0;
    const f = testable ? ss / df / residual : null;
    return { term: term.label, df, ss, f, p: f === null ? null : fSurvival(f, df, fit.df) };
  });
}
