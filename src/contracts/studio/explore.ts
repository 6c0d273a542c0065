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
  /** The first block of tiles: nobody who sees the numbers waits for the pictures' names. */
  readonly first: readonly VariantTile[];
  /** How many answers there were in all: a sheet of photographs is of these and no others. */
  readonly of: number;
  /** These are the first answers alone (`head`): all are being read, and are there when asked for without. */
  readonly partial?: true;
}

/** Tiles are asked for in blocks of so many; their photographs come on one sheet, row by row. */
export const tileBlock = { count: 60, columns: 10, cellPx: 80 } as const;

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
