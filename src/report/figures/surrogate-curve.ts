import type { MiningRecord } from '../../contracts/mining.ts';
import type { Figure } from '../document.ts';
import { colours, draw, halfWidth, Plot } from './plot.ts';

/** How the accuracy of the models held out falls with the number of surrogates that must all fail. */
export function surrogateCurveChart({ points }: MiningRecord['curve']): Figure {
  const title = 'Accuracy of the models held out, by number of surrogates';
  const rows = points.map(({ surrogates, accuracy, pictures, sets }) => ({
    ...{ surrogates, accuracy: accuracy.estimate, low: accuracy.ci[0], high: accuracy.ci[1], pictures, sets },
  }));
  const svg = draw(
    {
      width: halfWidth,
      height: 260,
      marginBottom: 44,
      marginLeft: 50,
      x: {
        label: 'surrogates that all fail',
        labelAnchor: 'center',
        labelArrow: 'none',
        ticks: rows.map(({ surrogates }) => surrogates),
        tickFormat: 'd',
      },
      y: { percent: true, grid: true, zero: true, label: 'accuracy, %' },
      marks: [
        Plot.areaY(rows, { x: 'surrogates', y1: 'low', y2: 'high', fill: colours[0], fillOpacity: 0.15 }),
        Plot.lineY(rows, { x: 'surrogates', y: 'accuracy', stroke: colours[0], strokeWidth: 2 }),
        Plot.dot(rows, { x: 'surrogates', y: 'accuracy', fill: colours[0], r: 4 }),
      ],
    },
    { title },
  );
  return {
    id: 'surrogate-curve',
    title,
    caption:
      'Mean over all sets of that size, or a sample of them, and over the models held out; the band is a 95 % interval over prompts.',
    svg,
    data: rows,
    half: true,
  };
}
