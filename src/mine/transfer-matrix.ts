import type { Random } from '../contracts/random.ts';
import { onlyModels, type PicturePool } from './pool.ts';
import { sharedFailures } from './shared-failures.ts';
import { subsets } from './subsets.ts';
import { type Estimate, measureTransfer } from './transfer.ts';

export interface TransferCell {
  readonly surrogates: string[];
  readonly target: string;
  readonly n: number;
  readonly accuracy: number;
  readonly fall: Estimate;
}

/** Sets of one to `most` models that must all fail, each against every model outside it; at most 60 sets of a size. */
export function transferMatrix(
  pool: PicturePool,
  models: readonly string[],
  { random, most = 3, replicates = 199 }: { random: Random; most?: number; replicates?: number },
): TransferCell[] {
  const cells: TransferCell[] = [];
  for (let size = 1; size <= Math.min(most, models.length - 1); size++)
    for (const set of subsets(models.length, size, { most: 60, random })) {
      const surrogates = set.map((place) => models[place]);
      const hard = sharedFailures(onlyModels(pool, surrogates));
      const targets = models.filter((name) => !surrogates.includes(name));
      if (!hard.includes(1)) continue;
      for (const { model, n, hard: on, fall } of measureTransfer(pool, hard, targets, { random, replicates }))
        cells.push({ surrogates, target: model, n, accuracy: on.estimate, fall });
    }
  return cells;
}
