import type { LeastSquares } from './least-squares.ts';
import type { DesignColumn } from './qr.ts';

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
  fit: LeastSquares,
  kind: Heteroscedastic,
  weights?: Float64Array,
): RobustCovariance {
  const { n, rank, df, residuals } = fit;
  const influence = fit.influence();
  const leverage = fit.leverage();
  const scale = new Float64Array(n);
  const undefinedAt = new Set<number>();
  for (let i = 0; i < n; i++) {
    const square = residuals[i] ** 2 * (weights?.[i] ?? 1);
    if ((kind === 'hc2' || kind === 'hc3') && leverage[i] >= fullLeverage) {
      for (let k = 0; k < rank; k++) {
        const own = Math.sqrt(fit.unscaled[k * rank + k]);
        if (Math.abs(influence[k][i]) > 1e-9 * own) undefinedAt.add(k);
      }
      continue;
    }
    if (kind === 'hc0') scale[i] = square;
    else if (kind === 'hc1') scale[i] = (square * n) / df;
    else scale[i] = square / (1 - leverage[i]) ** (kind === 'hc2' ? 1 : 2);
  }
  const matrix = new Float64Array(rank * rank);
  for (let a = 0; a < rank; a++)
    for (let b = a; b < rank; b++) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += influence[a][i] * influence[b][i] * scale[i];
      const value = undefinedAt.has(a) || undefinedAt.has(b) ? Number.NaN : sum;
      matrix[a * rank + b] = value;
      matrix[b * rank + a] = value;
    }
  return { matrix, undefinedAt: [...undefinedAt].sort((a, b) => a - b) };
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
  const rows = sparseRows(kept.map((j) => columns[j].values));
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
  return multiplySquare(multiplySquare(bread, meat, rank), bread, rank).map((value) => value * factor);
}

/** G/(G−1) · (N−1)/(N−K), as Stata's regress and statsmodels ("CR1"). */
export const clusterFactor = (clusters: number, outcomes: number, coefficients: number): number =>
  (clusters / (clusters - 1)) * ((outcomes - 1) / (outcomes - coefficients));

function sortByCluster(cluster: Uint32Array, clusters: number) {
  const starts = new Uint32Array(clusters + 1);
  for (const g of cluster) starts[g + 1]++;
  for (let g = 0; g < clusters; g++) starts[g + 1] += starts[g];
  const next = starts.slice();
  const rows = new Uint32Array(cluster.length);
  for (let i = 0; i < cluster.length; i++) rows[next[cluster[i]]++] = i;
  return { starts, rows };
}

/** Non-zero entries row by row; a row of a factor design has a handful. */
function sparseRows(columns: readonly Float64Array[]) {
  const n = columns[0]?.length ?? 0;
  const starts = new Uint32Array(n + 1);
  for (const column of columns) for (let i = 0; i < n; i++) if (column[i] !== 0) starts[i + 1]++;
  for (let i = 0; i < n; i++) starts[i + 1] += starts[i];
  const next = starts.slice();
  const index = new Uint32Array(starts[n]);
  const value = new Float64Array(starts[n]);
  for (const [k, column] of columns.entries())
    for (let i = 0; i < n; i++) {
      if (column[i] === 0) continue;
      index[next[i]] = k;
      value[next[i]++] = column[i];
    }
  return { starts, index, value };
}

function multiplySquare(a: Float64Array, b: Float64Array, size: number): Float64Array {
  const product = new Float64Array(size * size);
  for (let i = 0; i < size; i++)
    for (let k = 0; k < size; k++) {
      const factor = a[i * size + k];
      if (factor === 0) continue;
      for (let j = 0; j < size; j++) product[i * size + j] += factor * b[k * size + j];
    }
  return product;
}
