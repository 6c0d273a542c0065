import type { Analysis, AnalysisTerm } from '../../contracts/analysis.ts';
import {
  equalsP,
  levelOf,
  significantOf as number,
  percentOf,
  probabilityOf,
  rangeOf,
} from '../../contracts/numbers.ts';
import { withoutRounding } from '../../metrics/analyze/effect-sentences.ts';
import { drawnClusters, imageErrors, termsByImages } from '../../metrics/analyze/image-errors.ts';
import { type TextColumnSpec, table } from './table.ts';
import { terminalColumns } from './wrap.ts';

/** The analysis for people: the paper's table, R's summary below it, then what it means and what to mind. */
export function analysisText(analysis: Analysis, width = terminalColumns()): string {
  return [
    header(analysis),
    coefficients(analysis, width),
    analysis.deviance ? devianceLines(analysis) : fitLines(analysis),
    shareLines(analysis),
    anovaLines(analysis, width),
    diagnosticLines(analysis),
    comparisonLines(analysis),
    bullets('In words', analysis.sentences, width),
    bullets('Mind', analysis.caveats, width),
    bullets('Notes', analysis.notes, width),
  ]
    .filter(Boolean)
    .join('\n\n');
}

const families = { gaussian: 'least squares', poisson: 'Poisson, log link', binomial: 'binomial, logit link' };

function header(analysis: Analysis): string {
  const { formula, family, n, df, references, errors } = analysis;
  const drawn = imageErrors(analysis);
  const reference = Object.entries(references).map(([name, level]) => `${name} ${level || '(empty)'}`);
  return [
    formula,
    `${families[family]} · n ${n} · ${df} degrees of freedom · ${drawn ? `errors from ${drawn.replicates} draws of ${drawnClusters(drawn)}` : errorWords(errors)}`,
    ...(reference.length ? [`reference: ${reference.join(' · ')}`] : []),
  ].join('\n');
}

function errorWords({ kind, by, clusters }: Analysis['errors']): string {
  if (kind === 'classical') return 'classical errors';
  return kind === 'cluster' ? `errors clustered by ${by} (${clusters} clusters)` : `${kind.toUpperCase()} errors`;
}

function coefficients(analysis: Analysis, width: number): string {
  const { errors } = analysis;
  const terms = termsByImages(analysis).map(withoutRounding);
  const statistic = imageErrors(analysis) || errors.distribution === 't' ? 't' : 'z';
  const level = `${levelOf(errors.level)} CI`;
  const main: TextColumnSpec<AnalysisTerm>[] = [
    { title: 'term', flexible: true, cell: (row) => row.term },
    { title: 'estimate', align: 'right', cell: (row) => (row.infinite ? `${row.infinite}∞` : number(row.estimate)) },
    { title: 'SE', align: 'right', spare: 1, cell: (row) => number(row.se) },
    { title: level, align: 'right', spare: 3, cell: (row) => rangeOf(row.ci, number) },
    { title: statistic, align: 'right', spare: 2, cell: (row) => number(row.statistic) },
    { title: 'P', align: 'right', cell: (row) => probabilityOf(row.p) },
    { title: '', cell: (row) => row.stars ?? '' },
  ];
  return table(terms, main, width);
}

function fitLines({ r2, adjR2, multipleR, syx, rmse, ss, f, aicc }: Analysis): string {
  const overall = f ? `F(${f.df1}, ${f.df2}) = ${number(f.statistic)}, ${equalsP(f.p)}` : 'no F test';
  return [
    `R ${number(multipleR)} · R² ${number(r2)} · adjusted R² ${number(adjR2)} · Sy.x ${number(syx)} · RMSE ${number(rmse)}`,
    `${overall} · AICc ${number(aicc, 6)}`,
    `sums of squares: model ${number(ss?.model)}, residual ${number(ss?.residual)}, total ${number(ss?.total)}`,
  ].join('\n');
}

function devianceLines({ deviance, aicc }: Analysis): string {
  if (!deviance) return '';
  const { residual, null: nothing, df, dfNull, aic, mcfadden, dispersion, iterations, separation } = deviance;
  return [
    `deviance ${number(residual, 6)} on ${df} · null deviance ${number(nothing, 6)} on ${dfNull} · AIC ${number(aic, 6)} · AICc ${number(aicc, 6)}`,
    [
      mcfadden !== null && `McFadden's R² ${number(mcfadden)}`,
      dispersion !== null && `dispersion ${number(dispersion)}`,
      `${iterations} rounds`,
      separation !== 'none' && `${separation} separation`,
    ]
      .filter(Boolean)
      .join(' · '),
  ].join('\n');
}

function shareLines({ shares, bootstrap, family }: Analysis): string {
  if (!shares?.length) return '';
  const bar = (share: number) => '█'.repeat(Math.round(24 * Math.max(0, share)));
  const longest = Math.max(...shares.map(({ term }) => term.length));
  const lines = [...shares]
    .sort((a, b) => b.share - a.share)
    .map(({ term, share, ci }) => {
      const range = ci ? `(${rangeOf(ci, percentOf)})` : '';
      return `  ${term.padEnd(longest)}  ${percentOf(share).padStart(7)} ${range.padEnd(20)} ${bar(share)}`.trimEnd();
    });
  const what = family === 'gaussian' ? 'variance' : 'deviance';
  const how = bootstrap ? `; intervals from ${bootstrap.replicates} resamples of ${drawnClusters(bootstrap)}` : '';
  return [`What matters: share of the explained ${what} (LMG${how})`, ...lines].join('\n');
}

function anovaLines({ anova, family }: Analysis, width: number): string {
  if (!anova.length) return '';
  const gaussian = family === 'gaussian';
  return `Analysis of variance, type II\n${table(
    anova,
    [
      { title: 'term', flexible: true, cell: (row) => row.term },
      { title: 'df', align: 'right', cell: (row) => String(row.df) },
      ...(gaussian
        ? [{ title: 'SS', align: 'right' as const, cell: (row: Analysis['anova'][number]) => number(row.ss) }]
        : []),
      { title: gaussian ? 'F' : 'χ²', align: 'right', cell: (row) => number(row.statistic) },
      { title: 'P', align: 'right', cell: (row) => probabilityOf(row.p) },
    ],
    width,
  )}`;
}

function diagnosticLines({ normality, breuschPagan, durbinWatson, vif, aliased }: Analysis): string {
  const lines: string[] = [];
  if (normality) {
    const names = {
      dagostino: "D'Agostino–Pearson K²",
      anderson: 'Anderson–Darling A²',
      shapiro: 'Shapiro–Wilk W',
      lilliefors: 'Kolmogorov–Smirnov D (Lilliefors)',
    };
    for (const [key, name] of Object.entries(names)) {
      const { statistic, p, reason } = normality[key as keyof typeof names];
      lines.push(
        statistic === null ? `  ${name}: not made, ${reason}` : `  ${name} ${number(statistic)}, ${equalsP(p)}`,
      );
    }
  }
  if (breuschPagan)
    lines.push(`  Breusch–Pagan ${number(breuschPagan.statistic)} on ${breuschPagan.df}, ${equalsP(breuschPagan.p)}`);
  if (durbinWatson)
    lines.push(`  Durbin–Watson ${number(durbinWatson.statistic)} in the order of ${durbinWatson.order}`);
  const inflation = Object.entries(vif).map(
    ([name, { gvif, adjusted }]) => `${name} ${number(gvif)} (adjusted ${number(adjusted)})`,
  );
  if (inflation.length > 1) lines.push(`  variance inflation: ${inflation.join(', ')}`);
  if (aliased.length)
    lines.push(
      `  aliased: ${aliased.slice(0, 8).join(', ')}${aliased.length > 8 ? ` and ${aliased.length - 8} more` : ''}`,
    );
  return lines.length ? ['Residuals and design', ...lines].join('\n') : '';
}

function comparisonLines({ comparison }: Analysis): string {
  if (!comparison) return '';
  const { formula, test, reason, deltaAicc } = comparison;
  const tested = test
    ? `${test.kind}(${test.df1}${test.df2 === null ? '' : `, ${test.df2}`}) = ${number(test.statistic)}, ${equalsP(test.p)}`
    : reason;
  const better =
    deltaAicc === null
      ? ''
      : ` · AICc is ${number(Math.abs(deltaAicc))} ${deltaAicc > 0 ? 'higher, which speaks against it' : 'lower, which speaks for it'}`;
  return `Against ${formula}\n  ${tested}${better}`;
}

function bullets(title: string, lines: readonly string[], width: number): string {
  if (!lines.length) return '';
  return [
    title,
    ...lines.map((line) =>
      wrap(line, Math.max(40, width - 4))
        .map((part, i) => `${i ? '    ' : '  • '}${part}`)
        .join('\n'),
    ),
  ].join('\n');
}

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines;
}
