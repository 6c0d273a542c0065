import { type Interval, mcnemarExact, newcombePaired } from '../../stats/proportion.ts';
import type { Predictions } from '../table/predictions.ts';
import { type Draws, expandedInterval, resampledRatio } from './resample.ts';

/** Two cells over the samples that both have. */
export interface Pairing {
  readonly both: number;
  readonly firstOnly: number;
  readonly secondOnly: number;
  readonly neither: number;
  /** Clusters with a pair. */
  readonly clusters: number;
  /** First minus second and number of pairs per cluster, where a cluster has several pairs. */
  readonly perCluster: { readonly difference: Float64Array; readonly pairs: Float64Array } | undefined;
}

type Keys = Pick<Predictions, 'pairedBy' | 'cluster' | 'correct' | 'single'>;

/** Holds the answers of one cell while others are paired with it; one scratch array serves all. */
export function pairingWith(keys: Keys, first: Uint32Array) {
  const { pairedBy, correct } = keys;
  const answer = new Int8Array(pairedBy.count).fill(-1);
  for (const row of first) answer[pairedBy.codes[row]] = correct[row];
  return (second: Uint32Array, other: Keys = keys): Pairing => {
    const counts = [0, 0, 0, 0];
    const seen = new Map<number, number>();
    const difference: number[] = [];
    const pairs: number[] = [];
    const codes: number[] = [];
    for (const row of second) {
      const before = answer[other.pairedBy.codes[row]];
      if (before < 0) continue;
      const after = other.correct[row];
      counts[before * 2 + after]++;
      if (other.single) continue;
      const code = other.cluster.codes[row];
      let at = seen.get(code);
      if (at === undefined) {
        at = codes.push(code) - 1;
        seen.set(code, at);
        difference.push(0);
        pairs.push(0);
      }
      difference[at] += before - after;
      pairs[at]++;
    }
    const total = counts[0] + counts[1] + counts[2] + counts[3];
    const several = !other.single && codes.length < total;
    return {
      both: counts[3],
      firstOnly: counts[2],
      secondOnly: counts[1],
      neither: counts[0],
      clusters: other.single ? total : codes.length,
      perCluster: several
        ? {
            difference: scatter(codes, difference, other.cluster.count),
            pairs: scatter(codes, pairs, other.cluster.count),
          }
        : undefined,
    };
  };
}

function scatter(codes: readonly number[], values: readonly number[], size: number): Float64Array {
  const result = new Float64Array(size);
  for (const [i, code] of codes.entries()) result[code] = values[i];
  return result;
}

export interface Difference {
  readonly pairs: number;
  /** First minus second. */
  readonly difference: number;
  readonly ci: Interval;
  readonly p: number;
}

/**
 * The paired difference: Newcombe's interval for one pair per cluster, else a bootstrap over clusters. Clusters that
 * never disagree say only that disagreement is rare: Newcombe's interval over as many single pairs.
 */
export function differenceOf(pairing: Pairing, draws: Draws | undefined, level = 0.95): Difference | undefined {
  const { both, firstOnly, secondOnly, neither, clusters, perCluster } = pairing;
  const pairs = both + firstOnly + secondOnly + neither;
  if (pairs === 0) return undefined;
  const difference = (firstOnly - secondOnly) / pairs;
  const p = mcnemarExact(firstOnly, secondOnly);
  if (!perCluster) return { pairs, difference, ci: newcombePaired(both, firstOnly, secondOnly, neither, level), p };
  const ci = clusteredInterval(perCluster, clusters, draws, level);
  if (ci && ci[1] > ci[0]) return { pairs, difference, ci, p };
  const share = clusters / pairs;
  return {
    pairs,
    difference,
    ci: newcombePaired(both * share, firstOnly * share, secondOnly * share, neither * share, level),
    p,
  };
}

function clusteredInterval(
  { difference, pairs }: NonNullable<Pairing['perCluster']>,
  clusters: number,
  draws: Draws | undefined,
  level: number,
): Interval | null {
  if (!draws || !difference.some((value) => value !== 0)) return null;
  return expandedInterval(resampledRatio(draws, difference, pairs), clusters, level);
}
