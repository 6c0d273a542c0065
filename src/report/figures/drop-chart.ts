import type { Figure } from '../document.ts';
import { draw, fullWidth, keyScales, keysOf, marginFor, Plot } from './plot.ts';

export interface DropRow {
  readonly model: string;
  readonly scenario: string;
  readonly title: string;
  readonly drop: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Points of accuracy that each scenario costs each model, the costliest on top. */
export function dropChart(rows: readonly DropRow[], models: readonly string[]): Figure {
  const title = 'Accuracy lost per scenario';
  const mean = (name: string) => {
    const own = rows.filter((row) => row.title === name);
    return own.reduce((sum, { drop }) => sum + drop, 0) / own.length;
  };
  const titles = [...new Set(rows.map((row) => row.title))].sort((a, b) => mean(b) - mean(a) || (a < b ? -1 : 1));
  const keys = keysOf(models);
  const band = Math.max(22, 11 * models.length + 8);
  const svg = draw(
    {
      width: fullWidth,
      height: 60 + band * titles.length,
      marginLeft: marginFor(titles),
      marginBottom: 40,
      x: {
        percent: true,
        grid: true,
        label: 'points of accuracy lost (right is worse)',
        labelAnchor: 'center',
        labelArrow: 'none',
      },
      fy: { domain: titles, label: null, axis: 'left', padding: 0.08 },
      y: { domain: models, axis: null },
      ...keyScales(keys),
      marks: [
        Plot.ruleX([0], { stroke: 'currentColor', strokeOpacity: 0.6 }),
        Plot.ruleY(
          rows.filter(({ low }) => low !== null),
          { fy: 'title', y: 'model', x1: 'low', x2: 'high', stroke: 'model', strokeWidth: 2 },
        ),
        Plot.dot(rows, { fy: 'title', y: 'model', x: 'drop', fill: 'model', symbol: 'model', r: 4 }),
      ],
    },
    { title, legend: models.length > 1 ? keys : [] },
  );
  return {
    id: 'drops',
    title,
    caption:
      'Original minus scenario, over the same images. Bars are 95 % intervals; one that crosses zero may be no loss at all.',
    svg,
    data: rows.map(({ model, scenario, drop, low, high }) => ({ model, scenario, drop, low, high })),
  };
}
