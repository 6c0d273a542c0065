import type { RankMeasure } from '../../contracts/rank.ts';

export interface RankOptions {
  /** As `parseShifts` reads them; every scenario by what it changes where left out. */
  readonly shifts?: readonly string[];
  readonly by?: RankMeasure;
  /** Every trained head is a candidate, not the model's main one alone. */
  readonly heads?: boolean;
  readonly seed?: number;
  readonly bootstrap?: number;
}
