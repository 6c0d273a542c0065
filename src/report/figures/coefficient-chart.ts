import type { Analysis } from '../../contracts/analysis.ts';
import type { Figure } from '../document.ts';
import { draw, fullWidth, marginFor, Plot } from './plot.ts';

/** The regression's coefficients with their intervals, the intercept left out. */
export function coefficientChart(terms: Analysis['terms'], { byImages = false } = {}): Figure {
  const title = 'What each level changes, all else equal';
  const rows = terms.flatMap(({ term, estimate, ci, p }) =>
    term === 'Intercept' || estimate === null || !ci
      ? []
      : [
          {
            term,
            estimate,
            low: ci[0],
            high: ci[1],
            told: p !== null && p <= 0.05 ? 'told from zero' : 'not told from zero',
          },
        ],
  );
  const keys = [
    { label: 'told from zero', colour: '#0072b2', symbol: 'circle' },
    { label: 'not told from zero', colour: '#8a8a8a', symbol: 'diamond' },
  ];
  const svg = draw(
    {
      width: fullWidth,
      height: 90 + 18 * rows.length,
      marginLeft: marginFor(rows.map(({ term }) => term)),
      marginBottom: 40,
      x: {
        grid: true,
        percent: true,
        label: 'points of accuracy against the reference',
        labelAnchor: 'center',
        labelArrow: 'none',
      },
      y: { domain: rows.map(({ term }) => term), label: null, tickSize: 0 },
      color: { domain: keys.map(({ label }) => label), range: keys.map(({ colour }) => colour) },
      symbol: { domain: keys.map(({ label }) => label), range: keys.map(({ symbol }) => symbol) as never },
      marks: [
        Plot.ruleX([0], { stroke: 'currentColor', strokeOpacity: 0.6 }),
        Plot.ruleY(rows, { y: 'term', x1: 'low', x2: 'high', stroke: 'told', strokeWidth: 2 }),
        Plot.dot(rows, { y: 'term', x: 'estimate', stroke: 'told', fill: 'told', symbol: 'told', r: 3.5 }),
      ],
    },
    { title, legend: keys },
  );
  return {
    id: 'coefficients',
    title,
    caption: `Lines are 95 % intervals${byImages ? ', images drawn anew' : ''}. Left of zero: accuracy is lost.`,
    svg,
    data: rows.map(({ term, estimate, low, high }) => ({ term, estimate, low, high })),
  };
}
