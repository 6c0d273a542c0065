import { expected } from '../../contracts/errors.ts';
import type { Heteroscedastic } from '../../stats/covariance.ts';
import type { CountedScenarios } from '../counted.ts';

export const analysisFamilies = ['gaussian', 'poisson', 'binomial'] as const;

export interface AnalyzeOptions {
  /** Default: accuracy by model, scenario and class, those that vary. */
  readonly formula?: string;
  /** Rows that are fitted: `original` and the shifts, or all. Default: all where a formula is given, else the shifts. */
  readonly count?: CountedScenarios;
  readonly references?: ReadonlyMap<string, string>;
  readonly family?: (typeof analysisFamilies)[number];
  readonly weights?: string;
  readonly robust?: Heteroscedastic;
  /** Column whose equal values are not independent; `sample` and `group` for predictions. */
  readonly cluster?: string;
  readonly compare?: string;
  /** Columns of numbers taken as words. */
  readonly asFactor?: ReadonlySet<string>;
  /** Column the rows are ordered by, where order means something. */
  readonly order?: string;
  readonly level?: number;
  readonly seed?: number;
  /** Resamples of images; 0: none; default: as many as about a second allows. */
  readonly replicates?: number;
  readonly tolerance?: number;
}

/**
 * `model=A,scenario=original`: parts are split at commas, each at its first `=`, because scenario names contain `:`, `=`
 * and `+` but never a comma.
 */
export function parseReferences(given: readonly string[]): Map<string, string> {
  const references = new Map<string, string>();
  for (const part of given.flatMap((text) => text.split(','))) {
    if (part.trim() === '') continue;
    const at = part.indexOf('=');
    if (at < 1)
      throw expected('VARIABLE=LEVEL', '--reference', part, 'for instance --reference model=A,scenario=original');
    references.set(part.slice(0, at).trim(), part.slice(at + 1).trim());
  }
  return references;
}
