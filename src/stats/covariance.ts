import { type DesignColumn, type SparseRows, sparseRows } from './columns.ts';
import type { LeastSquares } from './fit.ts';

export const heteroscedasticKinds = ['hc0', 'hc1', 'hc2', 'hc3'] as const;
export type Heteroscedastic = (typeof heteroscedasticKinds)[number];

/** Leverage from which a row is taken to be fitted exactly whatever its value. */
const fullLeverage = 1 - 1e-9;

export interface RobustCovariance {
  /** rank × rank; NaN in rows and columns of coefficients that have none. */
  readonly matrix: Float64Array;
  /** Places (in `kept` order) of coefficients without a robust error, because a row of leverage 1 decides them. */
  readonly undefinedAt: number[];
}

/** σ² (XᵀWX)⁻¹. */
export const classicalCovariance = (fit: LeastSquares): Float64Array =>
  fit.unscaled.map((value) => (value * fit.rss) / fit.df);

/**
 * White's (1980) covariance and its small-sample variants (MacKinnon and White, 1985): HC3 divides each residual by 1 − h.
 *
 * A row of leverage 1 has residual zero by construction, so HC2 and HC3 read 0/0 there. Such a row enters only the
 * coefficients it alone decides; those get no robust error, all others are exact without it.
 */
export function heteroscedasticCovariance(
  columns: readonly DesignColumn[],
  fit: LeastSquares,
  kind: Heteroscedastic,
  weights?: Float64Array,
): RobustCovariance {
  const { n, rank, df, residuals } = fit;
  const leverage = fit.leverage();
  const full = (i: number) => (kind === 'hc2' || kind === 'hc3') && leverage[i] >= fullLeverage;
  const scale = residuals.map((e, i) => {
    const square = e * e * (weights?.[i] ?? 1);
    if (kind === 'hc0') return square;
    if (kind === 'hc1') return (square * n) / df;
    return full(i) ? 0 : square / (1 - leverage[i]) ** (kind === 'hc2' ? 1 : 2);
  });
  const influence = fit.influence();
  const matrix = influence
    ? weightedProducts(influence, scale)
    : sandwich(
        columns,
        fit,
        scale.map((value, i) => Math.sqrt(value * (weights?.[i] ?? 1))),
      );
  const undefinedAt = decidedAlone(columns, fit, Array.from(leverage.keys()).filter(full));
  for (const k of undefinedAt)
    for (let l = 0; l < rank; l++) {
      matrix[k * rank + l] = Number.NaN;
      matrix[l * rank + k] = Number.NaN;
    }
  return { matrix, undefinedAt };
}

function weightedProducts(influence: readonly Float64Array[], scale: Float64Array): Float64Array {
  const rank = influence.length;
  const matrix = new Float64Array(rank * rank);
  for (let a = 0; a < rank; a++)
    for (let b = a; b < rank; b++) {
      let sum = 0;
      for (let i = 0; i < scale.length; i++) sum += influence[a][i] * influence[b][i] * scale[i];
      matrix[a * rank + b] = sum;
      matrix[b * rank + a] = sum;
    }
  return matrix;
}

/** Every row a cluster of its own. */
function sandwich(columns: readonly DesignColumn[], fit: LeastSquares, score: Float64Array): Float64Array {
  const cell = Uint32Array.from(score, (_, i) => i);
  return clusterCovariance(columns, fit.kept, fit.unscaled, { cell, cluster: cell, clusters: score.length, score }, 1);
}

/** Coefficients that one of the rows enters. */
function decidedAlone(columns: readonly DesignColumn[], fit: LeastSquares, rows: readonly number[]): number[] {
  if (rows.length === 0) return [];
  const { rank, kept, unscaled, n } = fit;
  const { starts, index, value } = sparseRows(columns, n);
  const place = new Map(kept.map((j, k) => [j, k]));
  const entered = new Set<number>();
  for (const i of rows)
    for (let k = 0; k < rank; k++) {
      let [pull, size] = [0, 0];
      for (let e = starts[i]; e < starts[i + 1]; e++) {
        const l = place.get(index[e]);
        if (l === undefined) continue;
        pull += unscaled[k * rank + l] * value[e];
        size += Math.abs(unscaled[k * rank + l] * value[e]);
      }
      if (Math.abs(pull) > 1e-9 * size) entered.add(k);
    }
  return [...entered].sort((a, b) => a - b);
}

export interface ClusterRows {
  /** Row of the design each outcome belongs to; several outcomes may share one. */
  readonly cell: Uint32Array;
  /** Cluster of each outcome, 0 … clusters − 1. */
  readonly cluster: Uint32Array;
  readonly clusters: number;
  /** What the outcome adds to the estimating equation, times its design row. */
  readonly score: Float64Array;
}

/**
 * Cluster-robust covariance B (Σ_g s_g s_gᵀ) B, s_g the sum of design row × score over a cluster (Liang and Zeger, 1986),
 * times `factor`. `bread` is over the kept columns.
 */
export function clusterCovariance(
  columns: readonly DesignColumn[],
  kept: readonly number[],
  bread: Float64Array,
  { cell, cluster, clusters, score }: ClusterRows,
  factor: number,
): Float64Array {
  const rank = kept.length;
  const rows = keptRows(columns, kept);
  const order = sortByCluster(cluster, clusters);
  const meat = new Float64Array(rank * rank);
  const sum = new Float64Array(rank);
  const touched = new Int32Array(rank);
  const mark = new Uint8Array(rank);
  for (let g = 0; g < clusters; g++) {
    let count = 0;
    for (let p = order.starts[g]; p < order.starts[g + 1]; p++) {
      const i = order.rows[p];
      const c = cell[i];
      for (let e = rows.starts[c]; e < rows.starts[c + 1]; e++) {
        const k = rows.index[e];
        if (!mark[k]) {
          mark[k] = 1;
          touched[count++] = k;
        }
        sum[k] += rows.value[e] * score[i];
      }
    }
    for (let a = 0; a < count; a++)
      for (let b = 0; b < count; b++) meat[touched[a] * rank + touched[b]] += sum[touched[a]] * sum[touched[b]];
    for (let a = 0; a < count; a++) {
      sum[touched[a]] = 0;
      mark[touched[a]] = 0;
    }
  }
  return breadMeatBread(bread, meat, rank).map((value) => value * factor);
}

/** G/(G−1) · (N−1)/(N−K), as Stata's regress and statsmodels ("CR1"). */
export const clusterFactor = (clusters: number, outcomes: number, coefficients: number): number =>
  (clusters / (clusters - 1)) * ((outcomes - 1) / (outcomes - coefficients));

function keptRows(columns: readonly DesignColumn[], kept: readonly number[]): SparseRows {
  const n = columns[0]?.values.length ?? 0;
  return sparseRows(kept.length === columns.length ? columns : kept.map((j) => columns[j]), n);
}

function sortByCluster(cluster: Uint32Array, clusters: number) {
  const starts = new Uint32Array(clusters + 1);
  for (const g of cluster) starts[g + 1]++;
  for (let g = 0; g < clusters; g++) starts[g + 1] += starts[g];
  const next = starts.slice();
  const rows = new Uint32Array(cluster.length);
  for (let i = 0; i < cluster.length; i++) rows[next[cluster[i]]++] = i;
  return { starts, rows };
}

/** More coefficients than this get their variances alone; nobody reads a million covariances. */
const maxCovariances = 300;

/** B M B; M has few entries where each cluster meets few levels. */
function breadMeatBread(bread: Float64Array, meat: Float64Array, size: number): Float64Array {
  const half = new Float64Array(size * size);
  for (let k = 0; k < size; k++)
    for (let j = 0; j < size; j++) {
      const entry = meat[k * size + j];
      if (entry === 0) continue;
      // B is symmetric, so its row k serves as its column.
      for (let i = 0; i < size; i++) half[j * size + i] += bread[k * size + i] * entry;
    }
  const product = new Float64Array(size * size).fill(Number.NaN);
  for (let i = 0; i < size; i++)
    for (let j = i; j < (size > maxCovariances ? i + 1 : size); j++) {
      let sum = 0;
      for (let k = 0; k < size; k++) sum += half[k * size + i] * bread[k * size + j];
      product[i * size + j] = sum;
      product[j * size + i] = sum;
    }
  return product;
}
