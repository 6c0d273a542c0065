import type { Analysis, AnalysisTerm } from '../../contracts/analysis.ts';
import { maxShareTerms, shareFunction } from '../../stats/shares.ts';
import { countedRows } from '../counted-rows.ts';
import { caveats } from './caveats.ts';
import { compareFormulas } from './compare-formulas.ts';
import { emptyCells } from './design.ts';
import { effectSentences } from './effect-sentences.ts';
import {
  type ErrorChoice,
  fitGaussian,
  gaussianAnova,
  gaussianErrors,
  gaussianSummary,
  inflation,
} from './gaussian.ts';
import {
  devianceShares,
  devianceSummary,
  fitGeneralised,
  generalisedAnova,
  generalisedErrors,
  generalisedInflation,
} from './generalised.ts';
import { imageBootstrap } from './image-bootstrap.ts';
import { termsByImages } from './image-errors.ts';
import type { AnalyzeOptions } from './options.ts';
import { type PreparedRegression, prepare } from './prepare.ts';
import { residualChecks } from './residual-checks.ts';
import type { ColumnTable } from './table.ts';
import { coefficientTable, correlationMatrix } from './terms.ts';

type Body = Omit<Analysis, 'sentences' | 'caveats' | 'notes' | 'formula' | 'family' | 'emptyCells' | 'references'>;

/** The whole regression: formula, design, fit, errors, diagnostics, and what they mean in words. */
export function analyze(given: ColumnTable, options: AnalyzeOptions = {}): Analysis {
  const { table, left } = countedRows(given, options.count ?? (options.formula === undefined ? 'shifts' : 'all'));
  const prepared = prepare(table, options);
  const family = options.family ?? 'gaussian';
  const { body, notes } =
    family === 'gaussian'
      ? analyzeGaussian(table, prepared, options)
      : analyzeGeneralised(table, prepared, family, options);
  const { design, formula } = prepared;
  const judged = {
    formula: formula.text,
    family,
    ...body,
    emptyCells: emptyCells(design.factors, design.n),
    references: Object.fromEntries(design.factors.map((factor) => [factor.name, factor.levels[0]])),
  };
  // Fractions are told in points; a table in percent already has them.
  const points = formula.responseText === 'accuracy' && prepared.response.values.every((value) => Math.abs(value) <= 2);
  return {
    ...judged,
    sentences: effectSentences(termsByImages(body), design, { name: formula.responseText, family, points }),
    caveats: caveats(judged, prepared),
    notes: [...leftNotes(left), ...prepared.notes, ...notes],
  };
}

const leftNotes = (left: readonly string[]): string[] =>
  left.length
    ? [
        `Fitted are the original images and the shifts; ${left.join(', ')} measure other things (--count all fits them too).`,
      ]
    : [];

function analyzeGaussian(
  table: ColumnTable,
  prepared: PreparedRegression,
  options: AnalyzeOptions,
): { body: Body; notes: string[] } {
  const { design, answers, rows } = prepared;
  const { level = 0.95, seed = 0, replicates } = options;
  const fitted = fitGaussian(prepared, options);
  const { fit, base } = fitted;
  const errors = gaussianErrors(prepared, fitted, options);
  const summary = gaussianSummary(fitted);
  const shareable = design.terms.length > 0 && design.terms.length <= maxShareTerms && fitted.model.ss > 0;
  const shares = shareable ? shareFunction(fit, design.terms, base) : null;
  const cluster = options.cluster === 'group' || options.cluster === 'sample' ? options.cluster : undefined;
  const resampled =
    answers?.cells && replicates !== 0 && prepared.formula.responseText === 'accuracy'
      ? imageBootstrap({ cells: answers.cells, rows, fit, shares, cluster, replicates, level, seed })
      : null;
  const terms = coefficientTable(design.names, fit.coefficients, { ...errors, kept: fit.kept, level });
  const share = shares?.(Float64Array.from(fit.kept, (j) => fit.coefficients[j]));
  return {
    body: {
      n: fit.n,
      df: fit.df,
      terms: resampled ? withBootstrap(terms, design.names, fit.kept, resampled.coefficients) : terms,
      errors: describeErrors(errors, level),
      ...summary,
      ...residualChecks(prepared, fit, options.order),
      vif: inflation(fitted, prepared),
      aliased: fit.aliased.map((j) => design.names[j]),
      correlation: correlationMatrix(design.names, {
        covariance: errors.kind === 'classical' ? fit.unscaled : errors.covariance,
        kept: fit.kept,
        df: errors.df,
        level,
      }),
      anova: gaussianAnova(fitted, prepared),
      shares: share
        ? design.terms.map((term, t) => ({ term: term.label, share: share[t], ci: resampled?.shares?.[t] ?? null }))
        : null,
      bootstrap: resampled && {
        cluster: resampled.cluster,
        clusters: resampled.clusters,
        replicates: resampled.replicates,
        seed,
      },
      comparison: compareFormulas(table, options, {
        prepared,
        misfit: fit.rss,
        rank: fit.rank,
        df: fit.df,
        aicc: summary.aicc,
      }),
    },
    notes: [
      ...errors.notes,
      ...nearlyAliased(fit.nearlyAliased.map((j) => design.names[j])),
      ...(shareable || design.terms.length === 0 ? [] : tooManyTerms(design.terms.length)),
    ],
  };
}

function analyzeGeneralised(
  table: ColumnTable,
  prepared: PreparedRegression,
  family: 'poisson' | 'binomial',
  options: AnalyzeOptions,
): { body: Body; notes: string[] } {
  const { design } = prepared;
  const { level = 0.95 } = options;
  const fitted = fitGeneralised(prepared, family, options);
  const { fit } = fitted;
  const errors = generalisedErrors(prepared, fitted, options);
  const summary = devianceSummary(fitted);
  const shares = devianceShares(fitted, prepared);
  const covariance = { covariance: errors.covariance, kept: fit.kept, df: errors.df, level };
  return {
    body: {
      n: fitted.n,
      df: fitted.df,
      terms: coefficientTable(design.names, fit.coefficients, covariance, fit.infinite),
      errors: describeErrors(errors, level),
      r2: null,
      adjR2: null,
      multipleR: null,
      syx: null,
      rmse: null,
      ss: null,
      f: null,
      ...summary,
      normality: null,
      vif: generalisedInflation(fitted, prepared),
      aliased: fit.aliased.map((j) => design.names[j]),
      correlation: correlationMatrix(design.names, covariance),
      anova: generalisedAnova(fitted, prepared),
      shares: shares && design.terms.map((term, t) => ({ term: term.label, share: shares[t], ci: null })),
      bootstrap: null,
      breuschPagan: null,
      durbinWatson: null,
      influence: null,
      plots: null,
      comparison: compareFormulas(table, options, {
        prepared,
        misfit: fitted.deviance,
        rank: fit.kept.length + fit.infinite.size,
        df: fitted.df,
        aicc: summary.aicc,
      }),
    },
    notes: errors.notes,
  };
}

function withBootstrap(
  terms: AnalysisTerm[],
  names: readonly string[],
  kept: readonly number[],
  resampled: readonly { se: number; ci: [number, number] }[],
): AnalysisTerm[] {
  const place = new Map(kept.map((j, k) => [names[j], k]));
  return terms.map((term) => {
    const k = place.get(term.term);
    return k === undefined ? term : { ...term, bootstrap: resampled[k] };
  });
}

function describeErrors({ kind, by, clusters, df }: ErrorChoice, level: number): Analysis['errors'] {
  const normal = df === Number.POSITIVE_INFINITY;
  return { kind, by, clusters, distribution: normal ? 'normal' : 't', df: normal ? null : df, level };
}

const tooManyTerms = (count: number): string[] => [
  count > maxShareTerms
    ? `Shares of explained variance are given for up to ${maxShareTerms} terms; there are ${count}.`
    : 'Nothing is explained, so there are no shares.',
];

const nearlyAliased = (names: readonly string[]): string[] =>
  names.length
    ? [
        `${names.join(', ')}: nearly a combination of other terms. R's lm would leave it out; --tolerance 1e-7 does the same.`,
      ]
    : [];
