import type { Figure } from '../document.ts';
import { draw, halfWidth, Plot } from './plot.ts';
import { type ResidualPoints, residualPlot } from './residual-plot.ts';

/** Residuals in the order of the rows; where the rows have none, how the residuals are distributed. */
export function residualOrder({ order, residual }: ResidualPoints): Figure {
  return order ? inOrder(order) : distribution(residual);
}

function inOrder(order: readonly number[]): Figure {
  const title = 'Residual against order';
  const points = order.map((y, i) => ({ x: i + 1, y }));
  return {
    id: 'residual-order',
    title,
    caption: 'Runs above or below zero: neighbouring rows are not independent.',
    svg: residualPlot(points, { title, x: 'row', y: 'residual', guide: 'zero' }),
    data: points.map(({ x, y }) => ({ row: x, residual: y })),
    half: true,
  };
}

const bars = { fill: '#0072b2', fillOpacity: 0.7 };

function distribution(residual: readonly number[]): Figure {
  const title = 'Distribution of the residuals';
  const svg = draw(
    {
      width: halfWidth,
      height: 300,
      marginLeft: 58,
      marginBottom: 42,
      x: { label: 'residual', labelAnchor: 'center', labelArrow: 'none' },
      y: { label: 'cells', labelAnchor: 'center', labelArrow: 'none', grid: true },
      marks: [
        Plot.rectY(residual, Plot.binX({ y: 'count' }, { x: { value: (d: number) => d, thresholds: 24 }, ...bars })),
        Plot.ruleY([0]),
        Plot.ruleX([0], { stroke: 'currentColor', strokeDasharray: '5,4' }),
      ],
    },
    { title },
  );
  return {
    id: 'residual-distribution',
    title,
    caption:
      'The cells of a run have no order, so in place of residual against order: one hill around zero is what to hope for.',
    svg,
    data: residual.map((value) => ({ residual: value })),
    half: true,
  };
}
