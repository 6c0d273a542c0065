import type { Figure } from '../document.ts';
import { type ResidualPoints, residualPlot } from './residual-plot.ts';

export function residualSize({ fitted, absResidual }: ResidualPoints): Figure {
  const title = 'Size of the residual against predicted';
  const points = fitted.map((x, i) => ({ x, y: absResidual[i] }));
  return {
    id: 'residual-size',
    title,
    caption: 'Equal height everywhere: equal spread (homoscedasticity), as the printed errors assume.',
    svg: residualPlot(points, { title, x: 'predicted accuracy', y: '|residual|', guide: 'none' }),
    data: points.map(({ x, y }) => ({ predicted: x, absResidual: y })),
    half: true,
  };
}
