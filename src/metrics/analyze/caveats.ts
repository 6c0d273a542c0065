import type { Analysis } from '../../contracts/analysis.ts';
import { fixedOf } from '../../contracts/numbers.ts';
import { imageErrors } from './image-errors.ts';
import type { PreparedRegression } from './prepare.ts';

type Judged = Omit<Analysis, 'sentences' | 'caveats' | 'notes'>;

/** What the numbers cannot say, in plain words; only what applies. */
export function caveats(analysis: Judged, prepared: PreparedRegression): string[] {
  return [
    ...exactFit(analysis),
    ...dependence(analysis, prepared),
    ...bounded(analysis, prepared),
    ...likelihood(analysis),
    ...residuals(analysis),
    ...design(analysis, prepared),
    ...chance(analysis),
  ];
}

function exactFit({ df, ss, family }: Judged): string[] {
  if (family !== 'gaussian') return [];
  if (df === 0)
    return ['There are as many coefficients as rows: the fit is exact and nothing can be said about errors.'];
  return ss?.residual === 0
    ? ['The residuals are nothing but rounding: the fit is exact, standard errors are zero, and t and P mean nothing.']
    : [];
}

const isAccuracy = ({ kind, formula }: PreparedRegression) => kind !== 'table' && formula.responseText === 'accuracy';

function dependence({ errors, family, bootstrap }: Judged, prepared: PreparedRegression): string[] {
  if (errors.kind === 'cluster') {
    return (errors.clusters ?? 0) < 30
      ? [`There are ${errors.clusters} clusters of '${errors.by}'; clustered errors are too small below about 30.`]
      : [];
  }
  if (isAccuracy(prepared) && family === 'gaussian') {
    if (bootstrap) return [];
    return [
      'Rows of one data set share their images, so they are not independent and these errors, t and P are not valid; predictions per image would give errors that respect this.',
    ];
  }
  if (family === 'binomial' && prepared.kind === 'predictions')
    return [
      'Answers about the same image are not independent; add --cluster sample (or group) for errors that allow for it.',
    ];
  return [];
}

function bounded({ family }: Judged, prepared: PreparedRegression): string[] {
  if (family !== 'gaussian' || !isAccuracy(prepared)) return [];
  const hint =
    prepared.kind === 'predictions' ? '--family binomial --cluster sample' : '--family binomial with a column n';
  return [
    `Accuracies lie between 0 and 1, which a straight line does not know; effects near the ends are distorted. The logistic model (${hint}) does know.`,
  ];
}

function likelihood({ deviance, family }: Judged): string[] {
  if (!deviance) return [];
  const lines: string[] = [];
  if (deviance.separation === 'complete')
    lines.push('Complete separation: the variables predict every outcome, so no coefficient has a finite estimate.');
  if (deviance.separation === 'quasi')
    lines.push(
      'Quasi-complete separation: some coefficients have no finite estimate; the others are those of the rows that are not predicted perfectly.',
    );
  if (!deviance.converged)
    lines.push(`The fit did not converge in ${deviance.iterations} rounds; do not use these numbers.`);
  if (deviance.dispersion !== null && deviance.dispersion > 1.5)
    lines.push(
      `The data vary ${fixedOf(deviance.dispersion, 1)} times as much as ${family === 'poisson' ? 'a Poisson' : 'a binomial'} model says; errors are too small by about ${fixedOf(Math.sqrt(deviance.dispersion), 1)}.`,
    );
  return lines;
}

function residuals(analysis: Judged): string[] {
  const { normality, breuschPagan, influence, n } = analysis;
  const drawn = imageErrors(analysis);
  const lines: string[] = [];
  if (normality) {
    const names = {
      dagostino: "D'Agostino–Pearson",
      anderson: 'Anderson–Darling',
      shapiro: 'Shapiro–Wilk',
      lilliefors: 'Lilliefors',
    };
    const rejecting = (Object.keys(names) as (keyof typeof names)[]).filter((key) => (normality[key].p ?? 1) <= 0.05);
    if (rejecting.length)
      lines.push(
        `The residuals are not normal (${rejecting.map((key) => names[key]).join(', ')})${drawn ? '; the errors come from the images and do not need them to be' : n >= 100 ? `; with ${n} rows that hardly touches the intervals of the estimates` : '; with this few rows the intervals are rough'}.`,
      );
  }
  if (breuschPagan && breuschPagan.p <= 0.05 && !drawn)
    lines.push('The spread of the residuals changes with the variables (Breusch–Pagan); --robust hc3 allows for it.');
  const strong = influence?.filter(({ cooks }) => cooks !== null && cooks > 1) ?? [];
  if (strong.length)
    lines.push(`One row moves the whole fit: ${strong.map(({ name }) => name).join('; ')} (Cook's distance above 1).`);
  return lines;
}

function design({ aliased, emptyCells, vif }: Judged, prepared: PreparedRegression): string[] {
  const lines: string[] = [];
  if (aliased.length)
    lines.push(
      `Not estimable, because ${aliased.length === 1 ? 'it is a combination' : 'they are combinations'} of the terms before: ${list(aliased)}.`,
    );
  if (emptyCells.count)
    lines.push(
      `${emptyCells.count} combination${emptyCells.count === 1 ? '' : 's'} of levels ${emptyCells.count === 1 ? 'has' : 'have'} no data: ${list(emptyCells.cells, emptyCells.count)}.`,
    );
  const inflated = Object.entries(vif).filter(([, { adjusted }]) => adjusted !== null && adjusted > Math.sqrt(10));
  if (inflated.length)
    lines.push(
      `${inflated.map(([name]) => name).join(', ')}: hardly to be told apart from other variables (adjusted GVIF above 3.2).`,
    );
  const n = prepared.kind === 'predictions' && prepared.table.has('n') ? prepared.table.numbers('n') : undefined;
  const smallest = n ? prepared.rows.reduce((low, row) => Math.min(low, n[row]), Number.POSITIVE_INFINITY) : undefined;
  if (smallest !== undefined && smallest < 10)
    lines.push(`Some accuracies rest on ${smallest} image${smallest === 1 ? '' : 's'}.`);
  return lines;
}

function chance({ terms }: Judged): string[] {
  const tested = terms.filter(({ term, p }) => term !== 'Intercept' && p !== null).length;
  return tested >= 20
    ? [`${tested} coefficients are tested; about ${Math.round(tested / 20)} would be starred if nothing mattered.`]
    : [];
}

function list(names: readonly string[], count = names.length): string {
  const shown = names.slice(0, 8).join(', ');
  return count > 8 ? `${shown} and ${count - 8} more` : shown;
}
