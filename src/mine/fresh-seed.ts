import { UserError } from '../contracts/errors.ts';
import type { Random } from '../contracts/random.ts';
import { bootstrap, percentileInterval } from '../stats/bootstrap.ts';
import { type PicturePool, promptGroups } from './pool.ts';
import type { Estimate } from './transfer.ts';

/** The fall of one model on pictures chosen for being failed, and on new pictures of the same prompts. */
export interface FreshSeed {
  readonly model: string;
  readonly prompts: number;
  /** On the seed the choice was made on: pool minus chosen. */
  readonly ownSeed: Estimate;
  /** On the other seeds of the chosen prompts: pool of those seeds minus chosen prompts. What the prompt itself costs. */
  readonly freshSeed: Estimate;
  /** Fall on the own seed minus fall on fresh seeds: the part that is regression to the mean, not difficulty. */
  readonly selection: Estimate;
}

/**
 * A hard set is chosen because models fail it, so part of its fall is regression to the mean. The prompts (groups) chosen
 * on one seed are looked at again on the others.
 */
export function freshSeed(
  pool: PicturePool,
  hard: Uint8Array,
  models: readonly string[],
  { seed, random, replicates = 999 }: { seed: number; random: Random; replicates?: number },
): FreshSeed[] {
  const others = pool.items.some((item) => item.seed !== undefined && item.seed !== seed);
  if (!others)
    throw new UserError(`Only seed ${seed} is in the pool; generate the same prompts with another seed to compare`);
  const groups = promptGroups(pool);
  const chosen = new Uint8Array(groups.count);
  for (const [i, item] of pool.items.entries()) if (hard[i] && item.seed === seed) chosen[groups.of[i]] = 1;
  const places = models.map((name) => pool.models.indexOf(name));
  const falls = (counts?: ArrayLike<number>) =>
    places.flatMap((place) => {
      // [own seed, other seeds] × [all, chosen]: number and right answers.
      const n = new Float64Array(4);
      const right = new Float64Array(4);
      for (const [i, item] of pool.items.entries()) {
        const weight = counts?.[groups.of[i]] ?? 1;
        const own = item.seed === seed;
        const cells = [own ? 0 : 2];
        if (own ? hard[i] : chosen[groups.of[i]]) cells.push(own ? 1 : 3);
        for (const cell of cells) {
          n[cell] += weight;
          right[cell] += weight * (1 - pool.wrong[place][i]);
        }
      }
      const [own, fresh] = [0, 2].map((cell) => right[cell] / n[cell] - right[cell + 1] / n[cell + 1]);
      return [own, fresh, own - fresh];
    });
  const estimates = falls();
  const rows = bootstrap(groups.count, falls, { random, replicates });
  return models.map((model, m) => {
    const at = (k: number): Estimate => ({
      estimate: estimates[3 * m + k],
      ci: percentileInterval(rows.map((row) => row[3 * m + k])),
    });
    return {
      model,
      prompts: chosen.reduce((sum, flag) => sum + flag, 0),
      ownSeed: at(0),
      freshSeed: at(1),
      selection: at(2),
    };
  });
}
