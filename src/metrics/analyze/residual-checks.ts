import type { Analysis } from '../../contracts/analysis.ts';
import { breuschPagan, cooksDistance, durbinWatson, qqPoints } from '../../stats/diagnostics.ts';
import type { LeastSquares } from '../../stats/fit.ts';
import { anderson } from '../../stats/normality/anderson.ts';
import { dagostino } from '../../stats/normality/dagostino.ts';
import { lilliefors } from '../../stats/normality/lilliefors.ts';
import { shapiro } from '../../stats/normality/shapiro.ts';
import type { PreparedRegression } from './prepare.ts';

const maxPoints = 5000;
const standingOut = 10;

type Checks = Pick<Analysis, 'normality' | 'breuschPagan' | 'durbinWatson' | 'influence' | 'plots'>;

/** Everything that is read off the residuals of a least-squares fit. Weighted residuals are √w·e. */
export function residualChecks(prepared: PreparedRegression, fit: LeastSquares, order: string | undefined): Checks {
  const { design, weights, table, rows } = prepared;
  const scaled = weights ? fit.residuals.map((e, i) => e * Math.sqrt(weights[i])) : fit.residuals;
  if (fit.df === 0 || fit.exact)
    return { normality: exactNormality(), breuschPagan: null, durbinWatson: null, influence: null, plots: null };
  const leverage = fit.leverage();
  const cooks = cooksDistance(fit, leverage, weights);
  const sequence = order ? orderBy(table.numbers(order), rows) : undefined;
  const inOrder = sequence && Float64Array.from(sequence, (i) => scaled[i]);
  return {
    normality: {
      dagostino: dagostino(scaled),
      anderson: anderson(scaled),
      shapiro: shapiro(scaled),
      lilliefors: lilliefors(scaled),
    },
    breuschPagan: breuschPagan(design.columns, scaled),
    durbinWatson: inOrder && order ? { statistic: durbinWatson(inOrder), order } : null,
    influence: topRows(prepared, fit.residuals, leverage, cooks),
    plots: plotPoints(fit, scaled, { leverage, cooks, inOrder }),
  };
}

function exactNormality(): Checks['normality'] {
  const none = { statistic: null, p: null, reason: 'the fit is exact' };
  return { dagostino: none, anderson: none, shapiro: none, lilliefors: none };
}

function orderBy(key: Float64Array, rows: Uint32Array): number[] {
  return Array.from(rows.keys()).sort((a, b) => key[rows[a]] - key[rows[b]]);
}

function topRows(
  { design, rows }: PreparedRegression,
  residuals: Float64Array,
  leverage: Float64Array,
  cooks: Float64Array,
) {
  const rank = (i: number) => (Number.isNaN(cooks[i]) ? Number.POSITIVE_INFINITY : cooks[i]);
  return Array.from(rows.keys())
    .sort((a, b) => rank(b) - rank(a))
    .slice(0, standingOut)
    .map((i) => ({
      row: rows[i] + 1,
      name:
        design.factors.map(({ name, levels, codes }) => `${name} ${levels[codes[i]]}`).join(', ') ||
        `row ${rows[i] + 1}`,
      residual: residuals[i],
      leverage: leverage[i],
      cooks: Number.isNaN(cooks[i]) ? null : cooks[i],
    }));
}

interface PointData {
  readonly leverage: Float64Array;
  readonly cooks: Float64Array;
  readonly inOrder: Float64Array | undefined;
}

function plotPoints(
  fit: LeastSquares,
  scaled: Float64Array,
  { leverage, cooks, inOrder }: PointData,
): Analysis['plots'] {
  const { expected, observed } = qqPoints(scaled);
  return {
    fitted: thin(fit.fitted),
    residual: thin(scaled),
    absResidual: thin(scaled.map(Math.abs)),
    leverage: thin(leverage),
    cooks: thin(cooks).map((value) => (Number.isNaN(value) ? null : value)),
    qq: { expected: thin(expected), observed: thin(observed) },
    order: inOrder ? thin(inOrder) : null,
  };
}

/** At most 5000 values, evenly spaced, first and last among them. */
function thin(values: Float64Array): number[] {
  if (values.length <= maxPoints) return Array.from(values);
  return Array.from({ length: maxPoints }, (_, k) => values[Math.round((k * (values.length - 1)) / (maxPoints - 1))]);
}
