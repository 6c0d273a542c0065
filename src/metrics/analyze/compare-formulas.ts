import type { Analysis } from '../../contracts/analysis.ts';
import { UserError } from '../../contracts/errors.ts';
import { chiSquaredSurvival } from '../../stats/chi-squared.ts';
import type { DesignColumn } from '../../stats/columns.ts';
import { fSurvival } from '../../stats/f.ts';
import { leastSquares } from '../../stats/least-squares.ts';
import { fitGaussian, gaussianSummary } from './gaussian.ts';
import { devianceSummary, fitGeneralised } from './generalised.ts';
import type { AnalyzeOptions } from './options.ts';
import { type PreparedRegression, prepare } from './prepare.ts';
import type { ColumnTable } from './table.ts';

interface FittedFormula {
  readonly prepared: PreparedRegression;
  /** Residual sum of squares, or deviance. */
  readonly misfit: number;
  readonly rank: number;
  readonly df: number;
  readonly aicc: number | null;
}

/** Fits another formula to the same rows: F or χ² where one holds the other, AICc always. */
export function compareFormulas(
  table: ColumnTable,
  options: AnalyzeOptions,
  mine: FittedFormula,
): Analysis['comparison'] {
  const { compare, family = 'gaussian' } = options;
  if (compare === undefined) return null;
  const prepared = prepare(table, { ...options, formula: compare });
  if (prepared.rows.length !== mine.prepared.rows.length)
    throw new UserError(
      `'${compare}' uses ${prepared.rows.length} rows and '${mine.prepared.formula.text}' ${mine.prepared.rows.length}; models can be compared on the same rows only`,
    );
  const other = fitOther(prepared, options, family);
  const [small, large] = other.rank < mine.rank ? [other, mine] : [mine, other];
  const extra = large.rank - small.rank;
  const shared = {
    formula: compare,
    df: other.df,
    aicc: other.aicc,
    deltaAicc: other.aicc !== null && mine.aicc !== null ? other.aicc - mine.aicc : null,
  };
  if (extra === 0 || !holds(large.prepared.design.columns, small.prepared.design.columns, large.prepared.design.n))
    return { ...shared, test: null, reason: 'neither formula holds the other, so only AICc compares them' };
  const gain = Math.max(0, small.misfit - large.misfit);
  if (family !== 'gaussian')
    return {
      ...shared,
      test: { kind: 'χ²', statistic: gain, df1: extra, df2: null, p: chiSquaredSurvival(gain, extra) },
    };
  if (large.df === 0 || large.misfit === 0) return { ...shared, test: null, reason: 'the larger model fits exactly' };
  const statistic = gain / extra / (large.misfit / large.df);
  return {
    ...shared,
    test: { kind: 'F', statistic, df1: extra, df2: large.df, p: fSurvival(statistic, extra, large.df) },
  };
}

function fitOther(
  prepared: PreparedRegression,
  options: AnalyzeOptions,
  family: 'gaussian' | 'poisson' | 'binomial',
): FittedFormula {
  if (family === 'gaussian') {
    const fitted = fitGaussian(prepared, options);
    return {
      prepared,
      misfit: fitted.fit.rss,
      rank: fitted.fit.rank,
      df: fitted.fit.df,
      aicc: gaussianSummary(fitted).aicc,
    };
  }
  const fitted = fitGeneralised(prepared, family, options);
  const rank = fitted.fit.kept.length + fitted.fit.infinite.size;
  return { prepared, misfit: fitted.deviance, rank, df: fitted.df, aicc: devianceSummary(fitted).aicc };
}

/** Every column of the smaller design is a combination of the larger one's: beside them it adds no rank. */
function holds(large: readonly DesignColumn[], small: readonly DesignColumn[], n: number): boolean {
  const y = { values: new Float64Array(n) };
  return leastSquares([...large, ...small], y).rank === leastSquares(large, y).rank;
}
