import type { SelectedGroup } from '../explore/select.ts';
import type { CrossTally, Facets } from '../explore/tally.ts';

/** `GET runs/:run/explore`: what a filter finds. */
export interface Explored {
  readonly variants: number;
  readonly answers: number;
  readonly wrong: number;
  readonly groups: readonly SelectedGroup[];
  readonly facets: Facets;
  readonly models: readonly string[];
  /** Share of the samples whose size and place are known so far. */
  readonly factsKnown: number;
}

/** A tile of the grid. */
export interface VariantTile {
  readonly sample: string;
  readonly scenario: string;
  readonly label: string;
  /** Of the models asked for, those that are wrong. */
  readonly fails: number;
  readonly asked: number;
  /** What most of the answers that the filter leaves say, and the most certain of those. */
  readonly answer: string;
  readonly confidence: number;
}

/** `GET runs/:run/variants?from&count`. */
export interface VariantPage {
  readonly from: number;
  readonly tiles: readonly VariantTile[];
}

export type { CrossTally, Facets, SelectedGroup as Group };
