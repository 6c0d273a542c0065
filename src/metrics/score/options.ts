import type { CountedScenarios } from '../counted.ts';
import type { RankOptions } from '../rank/options.ts';

export interface ScoreOptions {
  /** Original accuracy by model, for tables without `original`; the key '' stands for every model. */
  readonly mu?: ReadonlyMap<string, number>;
  /** Of the verdict: a loss before other backgrounds that matters. */
  readonly margin?: number;
  /** Worse by less than this may be shipped. */
  readonly shipMargin?: number;
  readonly seed?: number;
  /** Resamples; fewer by default where the table is large. */
  readonly bootstrap?: number;
  readonly byClass?: boolean;
  /** Count answers over the dataset's own classes. */
  readonly own?: boolean;
  /** `shifts` unless told: controls and removals have lines of their own. */
  readonly count?: CountedScenarios;
  /** Also the counts of ImageNet-D's own programs; of a run folder alone. */
  readonly asPublished?: boolean;
  /** Also rank the models by how they do under these shifts. */
  readonly rank?: Pick<RankOptions, 'shifts' | 'by' | 'heads'>;
}

export const defaultShipMargin = 0.02;
const mostResamples = 2000;
const fewestResamples = 200;
/** From here on drawing them is what takes long, and the accuracies vary so little that half as many do. */
const manyClusters = 100_000;
/** Additions a default bootstrap may cost: about a third of a second. */
const work = 2e8;

/** As asked for, else as many as fit. */
export function resamplesFor({ bootstrap }: ScoreOptions, clusters: number, cells: number): number {
  const fewest = clusters > manyClusters ? fewestResamples / 2 : fewestResamples;
  return bootstrap ?? Math.max(fewest, Math.min(mostResamples, Math.floor(work / (clusters * cells))));
}

export const muOf = ({ mu }: ScoreOptions, model: string): number | undefined => mu?.get(model) ?? mu?.get('');
