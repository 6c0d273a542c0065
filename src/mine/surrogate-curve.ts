import type { Random } from '../contracts/random.ts';
import { bootstrap, percentileInterval } from '../stats/bootstrap.ts';
import { type PicturePool, promptGroups } from './pool.ts';
import { subsets } from './subsets.ts';
import type { Estimate } from './transfer.ts';

export interface SurrogatePoint {
  readonly surrogates: number;
  /** Sets of that many surrogates that were tried, and whether those are all there are. */
  readonly sets: number;
  /** Mean accuracy of the targets on the pictures that all of a set fail, over sets and targets. */
  readonly accuracy: Estimate;
  /** Mean number of pictures left. */
  readonly pictures: number;
  /** What the last surrogate took: accuracy with one fewer minus this; null at the first. */
  readonly gain: Estimate | null;
}

export interface SurrogateCurve {
  readonly points: readonly SurrogatePoint[];
  /** The first number after which no further surrogate is shown to lower the accuracy by more than `tolerance`; null: not seen. */
  readonly flattensAt: number | null;
}

/** How the targets' accuracy falls with the number of surrogates that must all fail. */
export function surrogateCurve(
  pool: PicturePool,
  surrogates: readonly string[],
  targets: readonly string[],
  {
    random,
    mostSets = 40,
    replicates = 399,
    tolerance = 0.01,
  }: { random: Random; mostSets?: number; replicates?: number; tolerance?: number },
): SurrogateCurve {
  // Nobody is held out, so nobody's accuracy can fall.
  if (!targets.length) return { points: [], flattensAt: null };
  const places = (names: readonly string[]) => names.map((name) => pool.wrong[pool.models.indexOf(name)]);
  const [failing, judged] = [places(surrogates), places(targets)];
  const groups = promptGroups(pool);
  const chosen = surrogates.map((_, k) => subsets(surrogates.length, k + 1, { most: mostSets, random }));
  // Per set: the pictures all its members fail, and on how many targets each is right.
  const right = Float64Array.from(pool.items, (_, i) => judged.reduce((sum, wrong) => sum + 1 - wrong[i], 0));
  const members = chosen
    .map((sets) => sets.map((set) => [...pool.items.keys()].filter((i) => set.every((place) => failing[place][i]))))
    // Numbers of surrogates at which no set of them fails any picture together are left out.
    .filter((sets) => sets.some(({ length }) => length));
  const curve = (counts?: ArrayLike<number>) =>
    members.map((sets) => {
      let [sum, used] = [0, 0];
      for (const pictures of sets) {
        let [n, ok] = [0, 0];
        for (const i of pictures) {
          const weight = counts?.[groups.of[i]] ?? 1;
          n += weight;
          ok += weight * right[i];
        }
        if (n) {
          sum += ok / (n * judged.length);
          used++;
        }
      }
      return used ? sum / used : Number.NaN;
    });
  const estimates = curve();
  const rows = bootstrap(groups.count, curve, { random, replicates });
  const points = estimates.map((estimate, k): SurrogatePoint => {
    const column = (of: (row: Float64Array) => number) => percentileInterval(rows.map(of));
    return {
      surrogates: k + 1,
      sets: chosen[k].length,
      accuracy: { estimate, ci: column((row) => row[k]) },
      pictures: members[k].reduce((sum, { length }) => sum + length, 0) / members[k].length,
      gain: k ? { estimate: estimates[k - 1] - estimate, ci: column((row) => row[k - 1] - row[k]) } : null,
    };
  });
  // Flat from k on: every later gain is shown to stay below the tolerance.
  const flat = points.findIndex(
    (_, k) => k < points.length - 1 && points.slice(k + 1).every(({ gain }) => (gain as Estimate).ci[1] < tolerance),
  );
  return { points, flattensAt: flat < 0 ? null : flat + 1 };
}
