import type { Sample } from '../contracts/sample.ts';

export interface MaskCoverage {
  readonly photographs: number;
  readonly without: number;
  /** More photographs lack a mask than may fail: a run that needs masks does not begin. */
  readonly stops: boolean;
}

/**
 * How many photographs lack a mask, and whether that ends a run whose scenarios need one. `dataset check` and planning
 * share this rule, so that the check foretells what planning does. A mask of a defect does not count as a mask of the
 * object.
 */
export function maskCoverage(samples: readonly Sample[], maxErrors: number): MaskCoverage {
  const photographs = samples.filter(({ scenario }) => !scenario);
  const without = photographs.filter((sample) => !hasObjectMask(sample)).length;
  return { photographs: photographs.length, without, stops: without > maxErrors * photographs.length };
}

export const hasObjectMask = ({ mask, protect }: Sample): boolean =>
  mask !== undefined && JSON.stringify(mask) !== JSON.stringify(protect);

/** What will be done with them, in one sentence. */
export function describeMaskCoverage({ photographs, without, stops }: MaskCoverage, maxErrors: number): string {
  const lack = `${without} of ${photographs} images have no mask`;
  return stops
    ? `${lack}: more than --max-errors ${maxErrors} lets a run leave out; make them (sceneshift mask), raise --max-errors, or run scenarios that need none`
    : `${lack}: scenarios that need one leave them out, the others use them`;
}
