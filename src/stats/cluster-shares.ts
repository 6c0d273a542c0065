import { hypergeometricTail } from './hypergeometric.ts';
import { benjaminiHochberg } from './multiple.ts';

/** A property of every item (a variant, or a photograph), by name; undefined: not known. */
export interface Property<Of extends string> {
  readonly of: Of;
  readonly values: readonly (string | undefined)[];
  /** What counts once: variants for the scenario, photographs for all that a photograph decides. */
  readonly countedBy: ArrayLike<number>;
}

const leastShare = 0.3;
const leastLift = 1.3;
/** A property that fewer photographs share is not reported: too few to tell from chance. */
const leastUnits = 3;
const most = 4;

/** What a cluster's items share more often than all do. */
interface SharedProperty<Of extends string> {
  readonly of: Of;
  readonly value: string;
  /** In the cluster, and among all. */
  readonly share: number;
  readonly usual: number;
  /** Fisher's exact test, false discovery rate over all clusters and values (Benjamini and Hochberg). */
  readonly q: number;
}

/** What each cluster's items share beyond what all share, the most telling first; corrected for looking at every value of every cluster. */
export function clusterShares<Of extends string>(
  properties: readonly Property<Of>[],
  cluster: ArrayLike<number>,
  clusters: number,
): SharedProperty<Of>[][] {
  const tested: (Omit<SharedProperty<Of>, 'q'> & { cluster: number; p: number })[] = [];
  for (const { of, values, countedBy } of properties) {
    const all = distinct(values, countedBy, () => true);
    const marked = countBy(all);
    for (let c = 0; c < clusters; c++) {
      const own = distinct(values, countedBy, (i) => cluster[i] === c);
      for (const [value, count] of countBy(own)) {
        if (count < leastUnits) continue;
        const usual = (marked.get(value) ?? 0) / all.length;
        const p = hypergeometricTail(count, { all: all.length, marked: marked.get(value) ?? 0, draws: own.length });
        tested.push({ cluster: c, of, value, share: count / own.length, usual, p });
      }
    }
  }
  const qs = benjaminiHochberg(tested.map(({ p }) => p));
  return Array.from({ length: clusters }, (_, c) =>
    tested
      .map(({ cluster: owner, p: _p, ...shared }, i) => ({ owner, ...shared, q: qs[i] }))
      .filter(
        ({ owner, share, usual, q }) => owner === c && q < 0.05 && share >= leastShare && share >= leastLift * usual,
      )
      .sort((a, b) => b.share / b.usual - a.share / a.usual)
      .slice(0, most)
      .map(({ owner: _owner, ...shared }) => shared),
  );
}

/** One value for each thing counted; one whose value is not known is left out. */
function distinct(
  values: readonly (string | undefined)[],
  countedBy: ArrayLike<number>,
  wanted: (item: number) => boolean,
): string[] {
  const found = new Map<number, string>();
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value !== undefined && wanted(i)) found.set(countedBy[i], value);
  }
  return [...found.values()];
}

function countBy(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
