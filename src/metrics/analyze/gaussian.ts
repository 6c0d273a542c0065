import { UserError } from '../../contracts/errors.ts';
import { typeTwoAnova } from '../../stats/anova.ts';
import { isZeroColumn } from '../../stats/columns.ts';
import {
  classicalCovariance,
  clusterCovariance,
  clusterFactor,
  heteroscedasticCovariance,
} from '../../stats/covariance.ts';
import { fSurvival } from '../../stats/f.ts';
import type { LeastSquares } from '../../stats/fit.ts';
import { gvif } from '../../stats/gvif.ts';
import { leastSquares } from '../../stats/least-squares.ts';
import { compact } from './gather.ts';
import type { AnalyzeOptions } from './options.ts';
import type { PreparedRegression } from './prepare.ts';
import { finiteOrNull } from './terms.ts';

export interface GaussianFit {
  readonly fit: LeastSquares;
  /** Intercept's column, if any. */
  readonly base: number[];
  readonly total: number;
  readonly model: { ss: number; df: number };
}

export function fitGaussian(
  { design, response, weights, offset }: PreparedRegression,
  { tolerance }: AnalyzeOptions,
): GaussianFit {
  const { n, columns } = design;
  const used = columns.filter((column) => !isZeroColumn(column)).length;
  if (n < used)
    throw new UserError(
      `${n} row${n === 1 ? '' : 's'} cannot give ${used} coefficients; use a formula with fewer of them, or more data (rows with a missing value do not count)`,
    );
  const y = offset ? { values: response.values.map((value, i) => value - offset[i]) } : response;
  const fit = leastSquares(columns, y, { weights, tolerance });
  const base = design.intercept ? [0] : [];
  const all = columns.map((_, j) => j);
  const model = fit.beyond(base, all);
  return { fit, base, model, total: model.ss + fit.rss };
}

/** Goodness of fit as R's summary.lm gives it; without an intercept sums of squares are around zero. */
export function gaussianSummary({ fit, base, model, total }: GaussianFit) {
  const { n, df, rank, rss } = fit;
  const r2 = total > 0 ? model.ss / total : Number.NaN;
  const adjusted = 1 - ((1 - r2) * (n - base.length)) / df;
  const f = model.df > 0 && df > 0 ? model.ss / model.df / (rss / df) : Number.NaN;
  const k = rank + 1;
  return {
    r2: finiteOrNull(r2),
    adjR2: df > 0 ? finiteOrNull(adjusted) : null,
    multipleR: finiteOrNull(Math.sqrt(r2)),
    syx: df > 0 ? Math.sqrt(rss / df) : null,
    rmse: Math.sqrt(rss / n),
    ss: { model: model.ss, residual: rss, total },
    f:
      model.df > 0 && df > 0
        ? {
            statistic: finiteOrNull(f),
            df1: model.df,
            df2: df,
            p: Number.isFinite(f) ? fSurvival(f, model.df, df) : null,
          }
        : null,
    aicc: rss > 0 && n > k + 1 ? n * Math.log(rss / n) + 2 * k + (2 * k * (k + 1)) / (n - k - 1) : null,
  };
}

export interface ErrorChoice {
  readonly kind: 'classical' | 'hc0' | 'hc1' | 'hc2' | 'hc3' | 'cluster';
  readonly covariance: Float64Array;
  readonly df: number;
  readonly by?: string;
  readonly clusters?: number;
  readonly notes: string[];
}

export function gaussianErrors(
  prepared: PreparedRegression,
  { fit }: GaussianFit,
  { robust, cluster }: AnalyzeOptions,
): ErrorChoice {
  const { weights, design } = prepared;
  if (robust && cluster)
    throw new UserError('Choose --robust or --cluster: clustered errors already allow for unequal variances');
  if (robust) {
    const { matrix, undefinedAt } = heteroscedasticCovariance(design.columns, fit, robust, weights);
    const notes = undefinedAt.length
      ? [
          `${robust.toUpperCase()} does not exist for ${undefinedAt.map((k) => design.names[fit.kept[k]]).join(', ')}: a single row decides it (leverage 1).`,
        ]
      : [];
    return { kind: robust, covariance: matrix, df: fit.df, notes };
  }
  if (cluster) return clusterErrors(prepared, fit, cluster);
  return { kind: 'classical', covariance: classicalCovariance(fit), df: fit.df, notes: [] };
}

function clusterErrors(
  { answers, design, response, weights, rows, table }: PreparedRegression,
  fit: LeastSquares,
  by: string,
): ErrorChoice {
  const bread = fit.unscaled;
  if (answers && !table.has(by)) {
    // The cells are means of answers: an image's part in a cell is (its answer − the mean) / n, times the cell's pull.
    const { codes, count } = answers.cluster(by);
    const place = new Int32Array(table.rowCount).fill(-1);
    for (const [i, row] of rows.entries()) place[row] = i;
    const sizes = table.numbers('n');
    const cell: number[] = [];
    const owner: number[] = [];
    const score: number[] = [];
    for (let i = 0; i < answers.cell.length; i++) {
      const row = place[answers.cell[i]];
      if (row < 0) continue;
      cell.push(row);
      owner.push(codes[i]);
      score.push(((weights?.[row] ?? 1) * (answers.correct[i] - response.values[row])) / sizes[answers.cell[i]]);
    }
    const { codes: cluster, count: clusters } = compact(Uint32Array.from(owner), count);
    needClusters(clusters, by);
    const covariance = clusterCovariance(
      design.columns,
      fit.kept,
      bread,
      { cell: Uint32Array.from(cell), cluster, clusters, score: Float64Array.from(score) },
      clusters / (clusters - 1),
    );
    return { kind: 'cluster', covariance, df: clusters - 1, by, clusters, notes: [] };
  }
  const { codes, levels } = table.text(by);
  const { codes: cluster, count: clusters } = compact(
    Uint32Array.from(rows, (row) => codes[row]),
    levels.length,
  );
  needClusters(clusters, by);
  const score = fit.residuals.map((e, i) => e * (weights?.[i] ?? 1));
  const cell = Uint32Array.from(rows, (_, i) => i);
  const covariance = clusterCovariance(
    design.columns,
    fit.kept,
    bread,
    { cell, cluster, clusters, score },
    clusterFactor(clusters, fit.n, fit.rank),
  );
  return { kind: 'cluster', covariance, df: clusters - 1, by, clusters, notes: [] };
}

export function needClusters(clusters: number, by: string): void {
  if (clusters < 2) throw new UserError(`--cluster ${by} gives ${clusters} cluster; at least two are needed`);
}

export function gaussianAnova({ fit, base }: GaussianFit, { design }: PreparedRegression) {
  return typeTwoAnova(fit, design.terms, base).map(({ term, df, ss, f, p }) => ({ term, df, ss, statistic: f, p }));
}

export function inflation({ fit, base }: GaussianFit, { design }: PreparedRegression) {
  const terms = design.terms.filter((term) => term.columns.some((j) => fit.kept.includes(j)));
  const values = gvif(fit, terms, base);
  return Object.fromEntries(
    terms.map((term, t) => [
      term.label,
      { gvif: finiteOrNull(values[t].gvif), adjusted: finiteOrNull(values[t].adjusted) },
    ]),
  );
}
