import { type DesignColumn, indicatorColumn } from '../../stats/columns.ts';
import { clusterCovariance, clusterFactor } from '../../stats/covariance.ts';
import { glm } from '../../stats/glm.ts';
import { normalQuantile, normalTwoSided } from '../../stats/normal.ts';
import type { Interval } from '../../stats/proportion.ts';

/** An edited variant of an image that was right as photographed. */
export interface EditedVariant {
  readonly model: string;
  readonly scenario: string;
  readonly sample: string;
  readonly cluster: string;
  /** On `original`. */
  readonly reliance: number;
  readonly areaShare: number;
  readonly failed: 0 | 1;
}

export interface FailureModel {
  /** Variants of images that were right as photographed, and those of them that failed. */
  readonly n: number;
  readonly failed: number;
  readonly clusters: number;
  /** Factor on the odds of failing, per ten points more of background reliance. */
  readonly oddsRatio: number;
  readonly ci: Interval;
  readonly p: number;
}

/**
 * Logistic regression of failing on the reliance on `original`, with a constant per model and per scenario and errors
 * clustered by group, else by source image. Null where there is nothing to estimate: no failure, none but failures, or
 * too few images. `holdArea` also holds the object's share of the picture: a small object leaves more room for saliency
 * off it, and is harder to recognise anyway.
 */
export function failureModel(
  rows: readonly EditedVariant[],
  { holdArea = false }: { readonly holdArea?: boolean } = {},
): FailureModel | null {
  const n = rows.length;
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  const place = new Map<string, number>();
  const cluster = Uint32Array.from(rows, (row) => {
    if (!place.has(row.cluster)) place.set(row.cluster, place.size);
    return place.get(row.cluster) as number;
  });
  const levels = (of: 'model' | 'scenario') => [...new Set(rows.map((row) => row[of]))].sort().slice(1);
  const indicators = (['scenario', 'model'] as const).flatMap((of) =>
    levels(of).map((level) => indicatorColumn(n, Uint32Array.from(placesOf(rows, of, level)))),
  );
  const columns: DesignColumn[] = [
    { values: new Float64Array(n).fill(1) },
    { values: Float64Array.from(rows, ({ reliance }) => 10 * reliance) },
    ...(holdArea ? [{ values: Float64Array.from(rows, ({ areaShare }) => areaShare) }] : []),
    ...indicators,
  ];
  if (failed === 0 || failed === n || place.size <= columns.length) return null;
  const y = Float64Array.from(rows, (row) => row.failed);
  const fit = glm({ columns, y, weights: new Float64Array(n).fill(1), intercept: true }, { family: 'binomial' });
  const at = fit.kept.indexOf(1);
  if (at < 0 || fit.infinite.has(1) || !fit.converged) return null;
  const used = [...y.keys()].filter((i) => !fit.perfect[i]);
  const covariance = clusterCovariance(
    columns,
    fit.kept,
    fit.covariance,
    {
      cell: Uint32Array.from(used),
      cluster: Uint32Array.from(used, (i) => cluster[i]),
      clusters: place.size,
      score: Float64Array.from(used, (i) => y[i] - fit.fitted[i]),
    },
    clusterFactor(place.size, used.length, fit.kept.length),
  );
  const slope = fit.coefficients[1];
  const error = Math.sqrt(covariance[at * fit.kept.length + at]);
  const reach = normalQuantile(0.975) * error;
  return {
    n,
    failed,
    clusters: place.size,
    oddsRatio: Math.exp(slope),
    ci: [Math.exp(slope - reach), Math.exp(slope + reach)],
    p: normalTwoSided(slope / error),
  };
}

const placesOf = (rows: readonly EditedVariant[], of: 'model' | 'scenario', level: string): number[] =>
  rows.flatMap((row, i) => (row[of] === level ? [i] : []));
