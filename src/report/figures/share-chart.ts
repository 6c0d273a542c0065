import type { Analysis } from '../../contracts/analysis.ts';
import { percentOf } from '../../contracts/numbers.ts';
import type { Figure } from '../document.ts';
import { draw, fullWidth, marginFor, Plot } from './plot.ts';

/** What explains the differences in accuracy: shares of the explained variance. */
export function shareChart(shares: NonNullable<Analysis['shares']>): Figure {
  const title = 'Shares of the explained variance';
  const sorted = [...shares].sort((a, b) => b.share - a.share);
  const svg = draw(
    {
      width: fullWidth,
      height: 60 + 30 * sorted.length,
      marginLeft: marginFor(sorted.map(({ term }) => term)),
      marginRight: 60,
      marginBottom: 40,
      x: {
        percent: true,
        grid: true,
        domain: [0, 100],
        label: 'share of what the regression explains, %',
        labelAnchor: 'center',
        labelArrow: 'none',
      },
      y: { domain: sorted.map(({ term }) => term), label: null, tickSize: 0 },
      marks: [
        Plot.barX(sorted, { y: 'term', x: 'share', fill: '#0072b2', fillOpacity: 0.75, insetTop: 2, insetBottom: 2 }),
        Plot.ruleY(
          sorted.filter(({ ci }) => ci),
          { y: 'term', x1: (d) => d.ci[0], x2: (d) => d.ci[1], stroke: 'currentColor', strokeWidth: 1.5 },
        ),
        Plot.text(sorted, {
          y: 'term',
          x: (d) => Math.max(d.share, d.ci?.[1] ?? 0),
          text: (d) => percentOf(d.share),
          dx: 6,
          textAnchor: 'start',
        }),
        Plot.ruleX([0]),
      ],
    },
    { title },
  );
  return {
    id: 'shares',
    title,
    caption: 'Averaged over all orders in which the variables can enter the regression (Lindeman, Merenda and Gold).',
    svg,
    data: sorted.map(({ term, share, ci }) => ({ term, share, low: ci?.[0] ?? null, high: ci?.[1] ?? null })),
  };
}
