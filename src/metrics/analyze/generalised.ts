import { expected, UserError } from '../../contracts/errors.ts';
import { contains } from '../../stats/anova.ts';
import { chiSquaredSurvival } from '../../stats/chi-squared.ts';
import { isZeroColumn } from '../../stats/columns.ts';
import { clusterCovariance, clusterFactor } from '../../stats/covariance.ts';
import type { FamilyName } from '../../stats/family.ts';
import { type Glm, type GlmData, glm } from '../../stats/glm.ts';
import { gvif } from '../../stats/gvif.ts';
import { maxShareTerms, shapley, shapleySteps } from '../../stats/shares.ts';
import { compact } from './gather.ts';
import { type ErrorChoice, needClusters } from './gaussian.ts';
import type { AnalyzeOptions } from './options.ts';
import type { PreparedRegression } from './prepare.ts';
import { finiteOrNull } from './terms.ts';

export interface GeneralisedFit {
  readonly fit: Glm;
  readonly data: GlmData;
  /** Single answers behind the rows: deviance and n are theirs. */
  readonly single: boolean;
  readonly n: number;
  readonly df: number;
  readonly deviance: number;
  readonly nullDeviance: number;
  readonly logLikelihood: number;
}

export function fitGeneralised(
  prepared: PreparedRegression,
  family: FamilyName,
  { tolerance }: AnalyzeOptions,
): GeneralisedFit {
  const { design, response, offset, answers } = prepared;
  checkOutcome(prepared, family);
  const used = design.columns.filter((column) => !isZeroColumn(column)).length;
  const single = answers !== undefined && family === 'binomial';
  const weights = prepared.weights ?? new Float64Array(design.n).fill(1);
  const n = single ? Math.round(weights.reduce((sum, w) => sum + w, 0)) : design.n;
  if (n < used)
    throw new UserError(
      `${n} outcomes cannot give ${used} coefficients; use a formula with fewer of them, or more data`,
    );
  const data = { columns: design.columns, y: response.values, weights, offset, intercept: design.intercept };
  const fit = glm(data, { family, tolerance });
  // Gathering equal rows leaves the estimates alone but not the saturated model; single answers have their own deviance.
  const saturated = single ? saturatedDeviance(data) : 0;
  const deviance = fit.deviance + saturated;
  return {
    fit,
    data,
    single,
    n,
    df: n - fit.kept.length - fit.infinite.size,
    deviance,
    nullDeviance: fit.nullDeviance + saturated,
    logLikelihood: single ? -deviance / 2 : fit.logLikelihood,
  };
}

/** −2 Σ n (y ln y + (1−y) ln(1−y)): what the gathered model's best case still leaves of the single answers' deviance. */
function saturatedDeviance({ y, weights }: GlmData): number {
  let sum = 0;
  for (let i = 0; i < y.length; i++) {
    const p = y[i];
    if (p > 0 && p < 1) sum -= 2 * weights[i] * (p * Math.log(p) + (1 - p) * Math.log1p(-p));
  }
  return sum;
}

function checkOutcome({ response, weights, formula, kind }: PreparedRegression, family: FamilyName): void {
  for (const [i, value] of response.values.entries()) {
    if (family === 'poisson' && value < 0) throw expected('counts of zero or more', `'${formula.responseText}'`, value);
    if (family === 'binomial' && !(value >= 0 && value <= 1))
      throw expected(
        '0 and 1, or shares between them',
        `'${formula.responseText}'`,
        value,
        'counts of successes and failures: cbind(successes, failures)',
      );
    if (family === 'binomial' && !weights && value > 0 && value < 1)
      throw expected(
        'the number of trials',
        '--weights',
        undefined,
        `'${formula.responseText}' holds shares${kind === 'accuracy' ? "; a column 'n' would do" : ''} (row ${i + 1}: ${value})`,
      );
  }
}

export function generalisedErrors(
  prepared: PreparedRegression,
  { fit, data, single, n }: GeneralisedFit,
  { robust, cluster }: AnalyzeOptions,
): ErrorChoice {
  if (robust) throw expected('--family gaussian', '--robust', robust, 'use --cluster for Poisson and binomial models');
  // Without a finite coefficient there is no error to choose.
  if (!cluster || fit.kept.length === 0)
    return { kind: 'classical', covariance: fit.covariance, df: Number.POSITIVE_INFINITY, notes: [] };
  const { answers, rows, table, design } = prepared;
  const place = new Int32Array(table.rowCount).fill(-1);
  for (const [i, row] of rows.entries()) place[row] = i;
  const cell: number[] = [];
  const owner: number[] = [];
  const score: number[] = [];
  let size: number;
  if (single && answers) {
    const { codes, count } = answers.cluster(cluster);
    size = count;
    for (let i = 0; i < answers.cell.length; i++) {
      const row = place[answers.cell[i]];
      if (row < 0 || fit.perfect[row]) continue;
      cell.push(row);
      owner.push(codes[i]);
      score.push(answers.correct[i] - fit.fitted[row]);
    }
  } else {
    const { codes, levels } = table.text(cluster);
    size = levels.length;
    for (const [i, row] of rows.entries()) {
      if (fit.perfect[i]) continue;
      cell.push(i);
      owner.push(codes[row]);
      score.push(data.weights[i] * (data.y[i] - fit.fitted[i]));
    }
  }
  const { codes, count: clusters } = compact(Uint32Array.from(owner), size);
  needClusters(clusters, cluster);
  const covariance = clusterCovariance(
    design.columns,
    fit.kept,
    fit.covariance,
    { cell: Uint32Array.from(cell), cluster: codes, clusters, score: Float64Array.from(score) },
    clusterFactor(clusters, single ? cell.length : n, fit.kept.length),
  );
  return { kind: 'cluster', covariance, df: Number.POSITIVE_INFINITY, by: cluster, clusters, notes: [] };
}

export function devianceSummary({ fit, single, n, df, deviance, nullDeviance, logLikelihood, data }: GeneralisedFit) {
  const k = fit.kept.length + fit.infinite.size;
  const aic = -2 * logLikelihood + 2 * k;
  return {
    aicc: n > k + 1 ? aic + (2 * k * (k + 1)) / (n - k - 1) : null,
    deviance: {
      residual: deviance,
      null: nullDeviance,
      df,
      dfNull: n - (data.intercept ? 1 : 0),
      aic,
      logLikelihood,
      mcfadden: nullDeviance > 0 && fit.family.name === 'binomial' && single ? 1 - deviance / nullDeviance : null,
      dispersion: single || df <= 0 ? null : fit.pearson / df,
      iterations: fit.iterations,
      converged: fit.converged,
      separation: fit.separation,
    },
  };
}

/** Deviance of the submodel with the given terms. */
function submodelDeviance(
  { data, fit }: GeneralisedFit,
  columns: readonly number[],
): { deviance: number; rank: number } {
  if (columns.length === 0) return { deviance: fit.nullDeviance, rank: 0 };
  const sub = glm({ ...data, columns: columns.map((j) => data.columns[j]) }, { family: fit.family.name });
  return { deviance: sub.deviance, rank: sub.kept.length + sub.infinite.size };
}

/** Type II: likelihood ratio of each term against the model with all terms that do not contain it. */
export function generalisedAnova(generalised: GeneralisedFit, { design }: PreparedRegression) {
  const base = design.intercept ? [0] : [];
  const all = [...base, ...design.terms.flatMap((term) => term.columns)];
  const full = {
    deviance: generalised.fit.deviance,
    rank: generalised.fit.kept.length + generalised.fit.infinite.size,
  };
  return design.terms.map((term) => {
    const others = design.terms.filter((other) => other !== term && !contains(other, term));
    const smaller = [...base, ...others.flatMap((other) => other.columns)];
    const larger = [...smaller, ...term.columns];
    const before = submodelDeviance(generalised, smaller);
    const after = larger.length === all.length ? full : submodelDeviance(generalised, larger);
    const df = after.rank - before.rank;
    const statistic = df > 0 ? Math.max(0, before.deviance - after.deviance) : null;
    return {
      term: term.label,
      df,
      ss: null,
      statistic,
      p: statistic === null ? null : chiSquaredSurvival(statistic, df),
    };
  });
}

/** Shapley's shares of the explained deviance. */
export function devianceShares(generalised: GeneralisedFit, { design }: PreparedRegression): Float64Array | null {
  const { terms, intercept } = design;
  if (terms.length === 0 || terms.length > Math.min(6, maxShareTerms)) return null;
  const base = intercept ? [0] : [];
  const { steps, masks } = shapleySteps(terms);
  const values = new Float64Array(2 ** terms.length);
  for (const mask of masks) {
    const columns = [...base, ...terms.flatMap((term, t) => (mask & (1 << t) ? term.columns : []))];
    values[mask] = -submodelDeviance(generalised, columns).deviance;
  }
  const gains = shapley(steps, terms.length, values);
  const whole = gains.reduce((sum, gain) => sum + gain, 0);
  return whole > 0 ? gains.map((gain) => gain / whole) : null;
}

export function generalisedInflation({ fit }: GeneralisedFit, { design }: PreparedRegression) {
  if (!fit.working || fit.infinite.size) return {};
  const { working, kept } = fit;
  const terms = design.terms.filter((term) => term.columns.some((j) => kept.includes(j)));
  const values = gvif(working, terms, design.intercept ? [0] : []);
  return Object.fromEntries(
    terms.map((term, t) => [
      term.label,
      { gvif: finiteOrNull(values[t].gvif), adjusted: finiteOrNull(values[t].adjusted) },
    ]),
  );
}
