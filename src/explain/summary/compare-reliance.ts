import type { SaliencyRow } from '../../contracts/saliency.ts';
import { clusterMean } from '../../stats/cluster-mean.ts';
import { holm } from '../../stats/multiple.ts';
import { type Change, clusterOf, groups } from './cells.ts';

export interface ModelPair {
  readonly first: string;
  readonly second: string;
}

/** Share on the object, first minus second, over the same variants. */
export interface RelianceDifference extends Change {
  /** `all pairs` where several pairs are taken together. */
  readonly first: string;
  readonly second: string;
  /** Empty: all scenarios together. */
  readonly scenario: string;
}

interface Pair extends ModelPair {
  readonly scenario: string;
  readonly difference: number;
  readonly cluster: string;
}

/**
 * Pairs of models on the same variants: each pair, and all pairs together, per scenario and over all of them. An image that
 * comes in several scenarios or pairs is one cluster. Holm's correction runs over the scenarios within a pair.
 */
export function compareReliance(rows: readonly SaliencyRow[], pairs: readonly ModelPair[]): RelianceDifference[] {
  const at = new Map(rows.map((row) => [JSON.stringify([row.model, row.scenario, row.sample]), row]));
  const found = pairs.map(({ first, second }) =>
    rows.flatMap((row): Pair[] => {
      const other = at.get(JSON.stringify([second, row.scenario, row.sample]));
      if (row.model !== first || !other) return [];
      const difference = row.shareOnObject - other.shareOnObject;
      return [{ first, second, scenario: row.scenario, difference, cluster: clusterOf(row) }];
    }),
  );
  const together = found.flat().map((pair) => ({ ...pair, first: 'all pairs', second: '' }));
  return [...(pairs.length > 1 ? [together] : []), ...found].flatMap(differences);
}

function differences(pairs: readonly Pair[]): RelianceDifference[] {
  if (!pairs.length) return [];
  const { first, second } = pairs[0];
  const testOf = (own: readonly Pair[]) =>
    clusterMean(
      own.map(({ difference }) => difference),
      own.map(({ cluster }) => cluster),
    );
  const scenarios = [...groups(pairs, ({ scenario }) => scenario)].map(([scenario, own]) => ({
    scenario,
    ...testOf(own),
  }));
  const corrected = holm(scenarios.map(({ p }) => p ?? Number.NaN));
  const all = testOf(pairs);
  return [
    ...(scenarios.length > 1 ? [{ scenario: '', ...all, pHolm: all.p }] : []),
    ...scenarios.map((one, i) => ({ ...one, pHolm: Number.isNaN(corrected[i]) ? null : corrected[i] })),
  ].map(({ scenario, n, mean, ci, p, pHolm }) => ({ first, second, scenario, n, difference: mean, ci, p, pHolm }));
}

/** Every model against every other. */
export const allPairs = (models: readonly string[]): ModelPair[] =>
  models.flatMap((first, i) => models.slice(i + 1).map((second) => ({ first, second })));
