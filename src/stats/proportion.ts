import { binomialCdf } from './binomial.ts';
import { normalQuantile } from './normal.ts';

export type Interval = [low: number, high: number];

const criticalValue = (level: number): number => -normalQuantile((1 - level) / 2);

/** Wilson's (1927) score interval of a proportion, without continuity correction. */
export function wilson(successes: number, n: number, level = 0.95): Interval {
  if (n === 0) return [0, 1];
  const z = criticalValue(level);
  const p = successes / n;
  const z2 = z * z;
  const centre = p + z2 / (2 * n);
  const spread = z * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  const scale = 1 + z2 / n;
  // At the ends centre and spread are equal but for rounding.
  const low = successes === 0 ? 0 : (centre - spread) / scale;
  const high = successes === n ? 1 : (centre + spread) / scale;
  return [low, high];
}

/**
 * Newcombe (1998, Statistics in Medicine 17, 2635), method 10: interval of p₁ − p₂ for paired proportions, from the two
 * Wilson intervals and the correlation φ, φ's numerator lowered by n/2 where positive.
 */
export function newcombePaired(
  both: number,
  firstOnly: number,
  secondOnly: number,
  neither: number,
  level = 0.95,
): Interval {
  const n = both + firstOnly + secondOnly + neither;
  if (n === 0) return [-1, 1];
  const p1 = (both + firstOnly) / n;
  const p2 = (both + secondOnly) / n;
  const [low1, high1] = wilson(both + firstOnly, n, level);
  const [low2, high2] = wilson(both + secondOnly, n, level);
  const cross = both * neither - firstOnly * secondOnly;
  const numerator = cross > 0 ? Math.max(cross - n / 2, 0) : cross;
  const margins =
    Math.sqrt((both + firstOnly) * (secondOnly + neither)) * Math.sqrt((both + secondOnly) * (firstOnly + neither));
  const phi = margins > 0 ? numerator / margins : 0;
  const reach = (a: number, b: number) => Math.sqrt(Math.max(0, a * a - 2 * phi * a * b + b * b));
  const difference = (firstOnly - secondOnly) / n;
  return [difference - reach(p1 - low1, high2 - p2), difference + reach(high1 - p1, p2 - low2)];
}

/** Exact two-sided McNemar test from the two kinds of disagreement. */
export function mcnemarExact(firstOnly: number, secondOnly: number): number {
  const n = firstOnly + secondOnly;
  return n === 0 ? 1 : Math.min(1, 2 * binomialCdf(Math.min(firstOnly, secondOnly), n, 0.5));
}
