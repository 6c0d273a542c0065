import type { Robustness } from '../../contracts/score.ts';
import type { Interval } from '../../stats/proportion.ts';
import { fromInfluence, smoothing } from '../robustness/influence.ts';
import { type Deviations, type SquaredLength, squaredLength } from '../robustness/squared-length.ts';
import {
  accuracies,
  accuracyInfluence,
  answerCounts,
  type ClusterSums,
  presentClusters,
} from '../table/cluster-sums.ts';

/** Where the parts of the score lie among the cells of some sums. */
export interface ScoreParts {
  /** Cell of μ, or μ itself where the table has no `original`. */
  readonly mu: { readonly cell: number } | { readonly value: number };
  /** Cells trained on original (or as delivered), tested on each scenario; and their scenarios. */
  readonly cross: readonly { readonly scenario: string; readonly cell: number }[];
  /** Cells trained and tested on one scenario. */
  readonly inner: readonly { readonly scenario: string; readonly cell: number }[];
}

/** The larger ones would take long to decompose, and hundreds of scenarios need no interval. */
const mostDeviations = 80;

export interface RobustnessInput {
  readonly parts: ScoreParts;
  /** Accuracy of every cell, and how it varies: by clusters, or (a printed table) by the number of images behind it. */
  readonly accuracy: Float64Array;
  readonly deviations: ((values: Float64Array, scale: Float64Array) => Deviations | undefined) | undefined;
}

/** The poster's score S = 1 − (σ²cross + σ²inner), both mean squared deviations from μ. */
export function robustnessOf({ parts, accuracy, deviations }: RobustnessInput): Robustness | null {
  const { cross, inner } = parts;
  if (cross.length === 0) return null;
  const mu = 'cell' in parts.mu ? accuracy[parts.mu.cell] : parts.mu.value;
  const squares = (cells: ScoreParts['cross']) => cells.map(({ cell }) => (accuracy[cell] - mu) ** 2);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const crossSquares = squares(cross);
  const crossMean = mean(crossSquares);
  const innerMean = inner.length ? mean(squares(inner)) : null;
  const length = interval(parts, accuracy, mu, deviations);
  const largest = crossSquares.indexOf(Math.max(...crossSquares));
  return {
    score: 1 - (crossMean + (innerMean ?? 0)),
    cross: crossMean,
    inner: innerMean,
    ci: length ? turned(length.interval) : null,
    debiased: length ? 1 - length.debiased : null,
    mu,
    scenarios: cross.length,
    p: length?.p ?? null,
    dominant:
      crossMean > 0
        ? { scenario: cross[largest].scenario, share: crossSquares[largest] / (crossMean * cross.length) }
        : null,
  };
}

export const turned = ([low, high]: Interval): Interval => [1 - high, 1 - low];

function interval(
  { cross, inner }: ScoreParts,
  accuracy: Float64Array,
  mu: number,
  deviations: RobustnessInput['deviations'],
): SquaredLength | undefined {
  const size = cross.length + inner.length;
  if (!deviations || size > mostDeviations) return undefined;
  const cells = [...cross, ...inner];
  const scale = Float64Array.from(cells, (_, i) => 1 / Math.sqrt(i < cross.length ? cross.length : inner.length));
  const values = Float64Array.from(cells, ({ cell }, i) => (mu - accuracy[cell]) * scale[i]);
  const known = deviations(values, scale);
  return known && squaredLength(known);
}

/** Deviations from answers: each cluster's part in μ and in every cell, jointly over all scenarios. */
export function deviationsByCluster(parts: ScoreParts, sums: ClusterSums): RobustnessInput['deviations'] {
  return (values, scale) => {
    const clusters = presentClusters(sums);
    if (clusters < 2) return undefined;
    const accuracy = accuracies(sums);
    const influence = accuracyInfluence(sums);
    const cells = [...parts.cross, ...parts.inner].map(({ cell }) => cell);
    const size = cells.length;
    const joint = new Float64Array(clusters * size);
    let at = 0;
    for (let g = 0; g < sums.clusters; g++) {
      if (!isPresent(sums, g)) continue;
      const row = g * sums.cells;
      const own = 'cell' in parts.mu ? influence[row + parts.mu.cell] : 0;
      for (let j = 0; j < size; j++) joint[at * size + j] = (own - influence[row + cells[j]]) * scale[j];
      at++;
    }
    const answers = answerCounts(sums);
    const muExtra = 'cell' in parts.mu ? smoothing(accuracy[parts.mu.cell], answers[parts.mu.cell]) : 0;
    const extra = cells.map((cell) => smoothing(accuracy[cell], answers[cell]));
    return fromInfluence(values, joint, clusters, sharedAndOwn(muExtra, extra, scale));
  };
}

/** Deviations from a printed table: binomial variances, the scenarios' images taken as independent. */
export function deviationsByCount(
  parts: ScoreParts,
  accuracy: Float64Array,
  n: Float64Array,
): RobustnessInput['deviations'] {
  return (values, scale) => {
    const cells = [...parts.cross, ...parts.inner].map(({ cell }) => cell);
    const used = 'cell' in parts.mu ? [...cells, parts.mu.cell] : cells;
    if (used.some((cell) => !(n[cell] > 1))) return undefined;
    const variance = (cell: number) => (accuracy[cell] * (1 - accuracy[cell])) / (n[cell] - 1);
    const more = (cell: number) => smoothing(accuracy[cell], n[cell]);
    const build = (of: (cell: number) => number) =>
      sharedAndOwn('cell' in parts.mu ? of(parts.mu.cell) : 0, cells.map(of), scale);
    return { values, covariance: build(variance), extra: build(more) };
  };
}

/** A variance that all deviations share (μ's) and one of each. */
function sharedAndOwn(shared: number, own: readonly number[], scale: Float64Array): Float64Array {
  const size = own.length;
  const matrix = new Float64Array(size * size);
  for (let j = 0; j < size; j++)
    for (let k = 0; k < size; k++) matrix[j * size + k] = (shared + (j === k ? own[j] : 0)) * scale[j] * scale[k];
  return matrix;
}

function isPresent({ cells, count }: ClusterSums, cluster: number): boolean {
  for (let c = 0; c < cells; c++) if (count[cluster * cells + c] > 0) return true;
  return false;
}
