import type { Robustness } from '../../contracts/score.ts';
import { fromInfluence } from '../robustness/influence.ts';
import { squaredLength } from '../robustness/squared-length.ts';
import { turned } from './robustness.ts';

type FirstVersion = NonNullable<Robustness['v1']>;

/** Accuracies with what each cluster adds to them (`influence[cluster * values.length + value]`). */
export interface FirstVersionMeasures {
  readonly values: Float64Array;
  readonly influence?: Float64Array;
}

const mostDeviations = 80;

/**
 * The score of the paper's first version, 1 − (σᵢ + σₑ): the population variance of the classes' accuracies and that of
 * the scenarios' (the text says variance, the letter is σ; both readings are given). Each class over all scenarios, each
 * scenario over all classes, `original` among them; images count once.
 */
export function firstVersion(
  scenarios: FirstVersionMeasures,
  classes: FirstVersionMeasures | undefined,
  clusters: number,
): FirstVersion | null {
  if (scenarios.values.length === 0) return null;
  const overScenarios = populationVariance(scenarios.values);
  const overClasses = classes && classes.values.length > 1 ? populationVariance(classes.values) : null;
  const parts = overClasses === null || !classes ? [scenarios] : [scenarios, classes];
  const length = interval(parts, clusters);
  return {
    score: 1 - (overScenarios + (overClasses ?? 0)),
    overScenarios,
    overClasses,
    debiased: length ? 1 - length.debiased : null,
    ci: length ? turned(length.interval) : null,
    withStandardDeviations: 1 - (Math.sqrt(overScenarios) + Math.sqrt(overClasses ?? 0)),
  };
}

function interval(parts: readonly FirstVersionMeasures[], clusters: number) {
  const size = parts.reduce((sum, { values }) => sum + values.length, 0);
  if (size > mostDeviations || clusters < 2 || parts.some(({ influence }) => !influence)) return undefined;
  const values = new Float64Array(size);
  const joint = new Float64Array(clusters * size);
  let from = 0;
  for (const { values: own, influence } of parts) {
    const width = own.length;
    const scale = 1 / Math.sqrt(width);
    const centre = own.reduce((sum, value) => sum + value, 0) / width;
    for (let j = 0; j < width; j++) values[from + j] = (own[j] - centre) * scale;
    for (let g = 0; g < clusters; g++) {
      let mean = 0;
      for (let j = 0; j < width; j++) mean += (influence as Float64Array)[g * width + j] / width;
      for (let j = 0; j < width; j++)
        joint[g * size + from + j] = ((influence as Float64Array)[g * width + j] - mean) * scale;
    }
    from += width;
  }
  return squaredLength(fromInfluence(values, joint, clusters));
}

function populationVariance(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
}
