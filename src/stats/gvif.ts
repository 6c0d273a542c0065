import type { ModelTerm } from './anova.ts';
import type { Reduced } from './least-squares.ts';
import { qr } from './qr.ts';

export interface Inflation {
  readonly gvif: number;
  /** GVIF^(1/(2·df)); comparable between terms of different df, the square root of the VIF for one column. */
  readonly adjusted: number;
}

/**
 * Generalised variance inflation (Fox and Monette, 1992): det(R₁₁)·det(R₂₂)/det(R) of the estimates' correlations, which
 * is the squared ratio of a term's volume beside the intercept to its volume beside everything else.
 */
export function gvif(
  reduced: Reduced,
  terms: readonly ModelTerm[],
  base: readonly number[],
  kept: readonly number[],
): Inflation[] {
  const usable = new Set(kept);
  const volume = (before: readonly number[], columns: readonly number[]): number => {
    const order = [...before, ...columns];
    const factor = qr(
      order.map((j) => reduced.columns[j]),
      { tolerance: 0, precision: 'extended' },
    );
    let log = 0;
    for (let k = before.length; k < order.length; k++) log += Math.log(Math.abs(factor.r[k]?.[k]?.[0] ?? 0));
    return log;
  };
  return terms.map((term) => {
    const own = term.columns.filter((j) => usable.has(j));
    const others = terms.flatMap((other) => (other === term ? [] : other.columns)).filter((j) => usable.has(j));
    if (own.length === 0) return { gvif: Number.NaN, adjusted: Number.NaN };
    const log = 2 * (volume(base, own) - volume([...base, ...others], own));
    return { gvif: Math.exp(log), adjusted: Math.exp(log / (2 * own.length)) };
  });
}
