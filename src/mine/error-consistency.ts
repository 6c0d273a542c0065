import { cohenKappa } from '../stats/agreement.ts';
import type { PicturePool } from './pool.ts';

export interface ErrorConsistency {
  readonly a: string;
  readonly b: string;
  /** Share of pictures on which both are right or both wrong. */
  readonly observed: number;
  /** Cohen's κ of being right or wrong: beyond what their accuracies alone make likely (Geirhos et al., 2020). */
  readonly kappa: number;
}

/** Whether two models fail the same pictures, for every pair. */
export function errorConsistency({ models, wrong }: PicturePool): ErrorConsistency[] {
  return models.flatMap((a, i) =>
    models.slice(i + 1).map((b, k) => {
      const other = wrong[i + 1 + k];
      const ratings = Array.from(wrong[i], (value, at) => [String(value), String(other[at])]);
      const same = wrong[i].reduce((sum, value, at) => sum + (value === other[at] ? 1 : 0), 0);
      return { a, b, observed: same / ratings.length, kappa: cohenKappa(0, 1)(ratings) };
    }),
  );
}
