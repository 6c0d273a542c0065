import type { Figure } from '../document.ts';
import { type ResidualPoints, residualPlot } from './residual-plot.ts';

export function residualVsFitted({ fitted, residual }: ResidualPoints): Figure {
  const title = 'Residual against predicted';
  const points = fitted.map((x, i) => ({ x, y: residual[i] }));
  return {
    id: 'residual-predicted',
    title,
    caption: 'A cloud without shape around zero: the sum of effects fits. A bend: effects that depend on each other.',
    svg: residualPlot(points, { title, x: 'predicted accuracy', y: 'residual', guide: 'zero' }),
    data: points.map(({ x, y }) => ({ predicted: x, residual: y })),
    half: true,
  };
}
