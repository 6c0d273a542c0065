import type { Figure } from '../document.ts';
import { type ResidualPoints, residualPlot } from './residual-plot.ts';

export function residualQq({ qq }: ResidualPoints): Figure {
  const title = 'Residuals against a normal distribution (QQ)';
  const points = qq.expected.map((x, i) => ({ x, y: qq.observed[i] }));
  return {
    id: 'residual-qq',
    title,
    caption: 'Points on the line: normal residuals. Ends that leave it: more extreme cells than a normal would give.',
    svg: residualPlot(points, { title, x: 'expected residual', y: 'actual residual', guide: 'equal' }),
    data: points.map(({ x, y }) => ({ expected: x, actual: y })),
    half: true,
  };
}
