import type { Random } from '../contracts/random.ts';
import { bootstrap, percentileInterval } from '../stats/bootstrap.ts';
import type { Interval } from '../stats/proportion.ts';
import { codeItems, type PicturePool, type PoolCodes, promptGroups } from './pool.ts';

export interface Estimate {
  readonly estimate: number;
  readonly ci: Interval;
}

/** How one model does on the hard set, against sets of the same size that were not chosen for being failed. */
export interface Transfer {
  readonly model: string;
  readonly n: number;
  readonly hard: Estimate;
  /** What a random subset of the same size has on average: the accuracy over the pool. */
  readonly random: Estimate;
  /** The same for a random subset with the hard set's classes and nuisances. */
  readonly matched: Estimate;
  /** Random minus hard: what the surrogates' failures take from this model. */
  readonly fall: Estimate;
  readonly fallMatched: Estimate;
}

/**
 * Transfer of a hard set to each of the pool's models. Pictures of one group (prompt, source photograph) are drawn again
 * together; which pictures are hard is a property of the picture and drawn with it.
 */
export function measureTransfer(
  pool: PicturePool,
  hard: Uint8Array,
  models: readonly string[],
  { random, replicates = 999 }: { random: Random; replicates?: number },
): Transfer[] {
  const groups = promptGroups(pool);
  const strata = codeItems(pool, ({ label, nuisance }) => `${label}\u0000${nuisance}`);
  const places = models.map((name) => pool.models.indexOf(name));
  const n = hard.reduce((sum, flag) => sum + flag, 0);
  const of = (counts?: ArrayLike<number>) =>
    places.flatMap((place) => accuracies(pool.wrong[place], hard, groups.of, strata, counts));
  const estimates = of();
  const rows = bootstrap(groups.count, of, { random, replicates });
  return models.map((model, m) => {
    const at = (k: number): Estimate => ({
      estimate: estimates[m * 5 + k],
      ci: percentileInterval(rows.map((row) => row[m * 5 + k])),
    });
    return { model, n, hard: at(0), random: at(1), matched: at(2), fall: at(3), fallMatched: at(4) };
  });
}

/** Accuracy on the hard set, over the pool, over the pool weighted to the hard set's strata, and the two falls. */
function accuracies(
  wrong: Uint8Array,
  hard: Uint8Array,
  groups: Uint32Array,
  strata: PoolCodes,
  counts: ArrayLike<number> | undefined,
): number[] {
  const all = new Float64Array(strata.count);
  const right = new Float64Array(strata.count);
  const chosen = new Float64Array(strata.count);
  let [n, rightAll, nHard, rightHard] = [0, 0, 0, 0];
  for (let i = 0; i < wrong.length; i++) {
    const weight = counts?.[groups[i]] ?? 1;
    if (!weight) continue;
    const ok = 1 - wrong[i];
    n += weight;
    rightAll += weight * ok;
    all[strata.of[i]] += weight;
    right[strata.of[i]] += weight * ok;
    if (hard[i]) {
      nHard += weight;
      rightHard += weight * ok;
      chosen[strata.of[i]] += weight;
    }
  }
  let matched = 0;
  for (let s = 0; s < strata.count; s++) if (chosen[s]) matched += (chosen[s] / nHard) * (right[s] / all[s]);
  const [onHard, onPool] = [rightHard / nHard, rightAll / n];
  return [onHard, onPool, matched, onPool - onHard, matched - onHard];
}
