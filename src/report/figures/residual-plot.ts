import type { Analysis } from '../../contracts/analysis.ts';
import { draw, halfWidth, Plot } from './plot.ts';

export type ResidualPoints = Pick<
  NonNullable<Analysis['plots']>,
  'fitted' | 'residual' | 'absResidual' | 'qq' | 'order'
>;

interface Axes {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  /** A horizontal line at zero, the line of equality, or neither. */
  readonly guide: 'zero' | 'equal' | 'none';
}

const mark = { r: 2.6, fill: '#0072b2', fillOpacity: 0.55, stroke: '#0072b2', strokeWidth: 0.6 };

/** The frame that the four residual plots share. */
export function residualPlot(points: readonly { x: number; y: number }[], { title, x, y, guide }: Axes): string {
  return draw(
    {
      width: halfWidth,
      height: 300,
      marginLeft: 58,
      marginBottom: 42,
      x: { label: x, labelAnchor: 'center', labelArrow: 'none', nice: true, ticks: 6 },
      y: { label: y, labelAnchor: 'center', labelArrow: 'none', nice: true, grid: true, ticks: 6 },
      marks: [
        ...(guide === 'zero' ? [Plot.ruleY([0], { stroke: 'currentColor', strokeOpacity: 0.7 })] : []),
        ...(guide === 'equal' ? [equality(points)] : []),
        Plot.dot(points, { x: 'x', y: 'y', ...mark }),
      ],
    },
    { title },
  );
}

function equality(points: readonly { x: number; y: number }[]) {
  const ends = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))];
  return Plot.line(ends, { x: (d) => d, y: (d) => d, stroke: 'currentColor', strokeDasharray: '5,4' });
}
