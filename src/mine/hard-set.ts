import { expected } from '../contracts/errors.ts';
import type { Random } from '../contracts/random.ts';
import { onlyModels, type PicturePool } from './pool.ts';
import { failureCounts } from './shared-failures.ts';

export interface HardSetOptions {
  readonly surrogates: readonly string[];
  /** Held out: their answers have no part in the choice. */
  readonly targets: readonly string[];
  /** Surrogates that must be wrong; all of them unless told. */
  readonly atLeast?: number;
  /** At most this many of one class, or of one nuisance. */
  readonly perClass?: number;
  readonly perNuisance?: number;
  readonly size?: number;
  readonly random: Random;
}

export interface HardSet {
  /** Places in the pool, ascending. */
  readonly chosen: readonly number[];
  readonly surrogates: readonly string[];
  readonly targets: readonly string[];
  readonly atLeast: number;
  /** Pictures that enough surrogates fail, before quotas. */
  readonly candidates: number;
  /** Left out although enough surrogates fail. */
  readonly leftOut: { readonly perClass: number; readonly perNuisance: number; readonly size: number };
}

/**
 * The pictures that the surrogates fail, within quotas. The most often failed come first, equals in a random order. The
 * targets are held out by construction: the choice is made on a pool that does not have their answers.
 */
export function chooseHardSet(pool: PicturePool, options: HardSetOptions): HardSet {
  const { surrogates, targets, atLeast = surrogates.length, perClass, perNuisance, size, random } = options;
  const both = surrogates.filter((name) => targets.includes(name));
  if (both.length) throw expected('models held out of the choice', '--targets', both.join(', '), 'they are surrogates');
  if (!(atLeast >= 1 && atLeast <= surrogates.length))
    throw expected(`1 to ${surrogates.length} of the surrogates`, '--at-least', atLeast);
  onlyModels(pool, targets);
  const seen = onlyModels(pool, surrogates);
  const counts = failureCounts(seen);
  const candidates = random
    .shuffle([...seen.items.keys()].filter((i) => counts[i] >= atLeast))
    .sort((a, b) => counts[b] - counts[a]);
  const classes = new Map<string, number>();
  const nuisances = new Map<string, number>();
  const leftOut = { perClass: 0, perNuisance: 0, size: 0 };
  const chosen: number[] = [];
  for (const i of candidates) {
    const { label, nuisance } = seen.items[i];
    const [ofClass, ofNuisance] = [classes.get(label) ?? 0, nuisances.get(nuisance) ?? 0];
    if (size !== undefined && chosen.length >= size) leftOut.size++;
    else if (perClass !== undefined && ofClass >= perClass) leftOut.perClass++;
    else if (perNuisance !== undefined && ofNuisance >= perNuisance) leftOut.perNuisance++;
    else {
      chosen.push(i);
      classes.set(label, ofClass + 1);
      nuisances.set(nuisance, ofNuisance + 1);
    }
  }
  return {
    chosen: chosen.sort((a, b) => a - b),
    surrogates,
    targets,
    atLeast,
    candidates: candidates.length,
    leftOut,
  };
}
