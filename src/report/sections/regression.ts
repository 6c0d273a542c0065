import type { Analysis } from '../../contracts/analysis.ts';
import { equalsP, significantOf } from '../../contracts/numbers.ts';
import { imageErrors, termsByImages } from '../../metrics/analyze/image-errors.ts';
import type { ReportData } from '../data/load.ts';
import type { Block, Figure, Section } from '../document.ts';
import { coefficientChart } from '../figures/coefficient-chart.ts';
import { residualOrder } from '../figures/residual-order.ts';
import { residualQq } from '../figures/residual-qq.ts';
import { residualSize } from '../figures/residual-size.ts';
import { residualVsFitted } from '../figures/residual-vs-fitted.ts';
import { shareChart } from '../figures/share-chart.ts';
import { said } from '../formats/inline.ts';
import { listWords, percent } from '../show.ts';
import { fitTable } from '../tables/fit.ts';
import { normalityTable, normalityWords } from '../tables/normality.ts';
import { regressionTable } from '../tables/regression.ts';

export function regressionSection({ analysis, analysisMissing }: ReportData): Section | null {
  if (!analysis) {
    if (!analysisMissing) return null;
    return {
      id: 'regression',
      title: 'What matters',
      blocks: [{ kind: 'text', text: `No regression: ${analysisMissing}` }],
    };
  }
  return { id: 'regression', title: 'What matters', blocks: regressionBlocks(analysis) };
}

/** Table, words, shares, residuals and tests of one regression; also used by the page on the supplement's Fig. 8–10. */
export function regressionBlocks(analysis: Analysis): Block[] {
  const { terms, sentences, caveats, shares, plots, normality, notes } = analysis;
  const long = terms.length > 16;
  const blocks: Block[] = [{ kind: 'text', text: leadWords(analysis) }];
  if (shares?.length) blocks.push({ kind: 'figures', figures: [shareChart(shares)] });
  if (terms.length > 1 && terms.length <= 80) {
    const figures = [coefficientChart(termsByImages(analysis), { byImages: imageErrors(analysis) !== null })];
    const chart: Block = { kind: 'figures', figures };
    blocks.push(terms.length > 24 ? { kind: 'fold', summary: figures[0].title, blocks: [chart] } : chart);
  }
  blocks.push({ kind: 'table', table: regressionTable(analysis, { folded: long }) });
  if (sentences.length)
    blocks.push({ kind: 'list', items: sentences.map(said), folded: `In words: ${sentences.length} sentences` });
  const trust: Block[] = [{ kind: 'table', table: fitTable(analysis) }];
  if (plots) trust.push({ kind: 'figures', figures: residualFigures(plots) });
  if (normality)
    trust.push({ kind: 'table', table: normalityTable(normality) }, { kind: 'text', text: normalityWords(analysis) });
  trust.push(...listed(checkWords(analysis)));
  blocks.push(...(caveats.length + notes.length ? listed([...caveats, ...notes]) : []), {
    kind: 'fold',
    summary: 'Can the regression be trusted? Fit, residuals and tests',
    blocks: trust,
  });
  return blocks;
}

const listed = (items: readonly string[]): Block[] => (items.length ? [{ kind: 'list', items: items.map(said) }] : []);

export const residualFigures = (plots: NonNullable<Analysis['plots']>): Figure[] => [
  residualVsFitted(plots),
  residualSize(plots),
  residualQq(plots),
  residualOrder(plots),
];

function leadWords({ formula, references, r2, shares, n }: Analysis): string {
  const at = Object.entries(references).map(([name, level]) => `${name} ${level || '(empty)'}`);
  const first = shares && [...shares].sort((a, b) => b.share - a.share)[0];
  const main = first ? ` Most of that, ${percent(first.share, 0)}, is **${said(first.term)}**.` : '';
  const explained = r2 === null ? '' : ` It explains ${percent(r2, 0)} of the differences between ${n} cells.${main}`;
  return `Which of the variables moves the accuracy, all others held equal? \`${said(formula)}\`, least squares, each level against its reference (${said(listWords(at))}).${explained}`;
}

function checkWords({ breuschPagan, durbinWatson, vif }: Analysis): string[] {
  const inflated = Object.entries(vif).filter(([, { adjusted }]) => (adjusted ?? 1) > 2);
  return [
    ...(breuschPagan
      ? [`Breusch–Pagan for unequal spread: ${significantOf(breuschPagan.statistic)}, ${equalsP(breuschPagan.p)}.`]
      : []),
    ...(durbinWatson
      ? [`Durbin–Watson in the order of ${durbinWatson.order}: ${significantOf(durbinWatson.statistic)}.`]
      : []),
    ...(inflated.length
      ? [`Hard to tell apart (variance inflation): ${listWords(inflated.map(([name]) => name))}.`]
      : []),
  ];
}
