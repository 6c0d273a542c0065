import type { Figure } from '../document.ts';
import { type ResidualPoints, residualPlot } from './residual-plot.ts';

/** The normal distribution drawn has mean zero and the residuals' own standard deviation. */
export function residualQq({ qq }: ResidualPoints): Figure {
  const title = 'Residuals against a normal distribution (QQ)';
  const sd = Math.sqrt(qq.observed.reduce((sum, e) => sum + e * e, 0) / Math.max(1, qq.observed.length - 1));
  const points = qq.expected.map((z, i) => ({ x: z * sd, y: qq.observed[i] }));
  return {
    id: 'residual-qq',
    title,
    caption: 'Points on the line: normal residuals. Ends that leave it: more extreme cells than a normal would give.',
    svg: residualPlot(points, { title, x: 'expected residual', y: 'actual residual', guide: 'equal' }),
    data: points.map(({ x, y }) => ({ expected: x, actual: y })),
    half: true,
  };
}
