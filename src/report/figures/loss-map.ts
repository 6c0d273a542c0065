import { hundredthsOf } from '../../contracts/numbers.ts';
import type { Figure } from '../document.ts';
import type { DropRow } from './drop-chart.ts';
import { draw, fullWidth, marginFor, Plot } from './plot.ts';

const rowHeight = 24;
/** Room for a number of three digits and its sign. */
const leastColumn = 26;

/** What every shift costs every model, in points: one line per model, the costliest shift first. */
export function lossMap(rows: readonly DropRow[], models: readonly string[]): Figure {
  const title = 'Points of accuracy lost, model by model and shift by shift';
  const mean = (name: string) => {
    const own = rows.filter((row) => row.title === name);
    return own.reduce((sum, { drop }) => sum + drop, 0) / own.length;
  };
  const titles = [...new Set(rows.map((row) => row.title))].sort((a, b) => mean(b) - mean(a) || (a < b ? -1 : 1));
  const longest = Math.max(...titles.map(({ length }) => length));
  const top = Math.min(190, 20 + longest * 4.6);
  const [left, right] = [marginFor(models), Math.min(170, 20 + longest * 4.4)];
  const most = Math.max(0.1, ...rows.map(({ drop }) => drop));
  const svg = draw(
    {
      width: Math.max(fullWidth, left + right + leastColumn * titles.length),
      height: top + rowHeight * models.length + 12,
      marginTop: top,
      marginRight: right,
      marginLeft: left,
      marginBottom: 8,
      x: { domain: titles, axis: 'top', label: null, tickRotate: -40, tickSize: 0 },
      y: { domain: [...models], label: null, tickSize: 0 },
      color: { type: 'linear', domain: [0, most], range: ['#fdf6f0', '#8f2d04'], clamp: true },
      marks: [
        Plot.cell(rows, { x: 'title', y: 'model', fill: 'drop', inset: 0.5, rx: 2 }),
        Plot.text(rows, {
          x: 'title',
          y: 'model',
          text: ({ drop }: DropRow) => hundredthsOf(drop, 0),
          fill: ({ drop }: DropRow) => (drop > 0.55 * most ? 'white' : '#3a1a0c'),
          fontSize: 11,
        }),
      ],
    },
    { title },
  );
  return {
    id: 'loss-map',
    title,
    caption:
      'Original minus shift, over the same images; darker is worse. Intervals are in the chart and the table below.',
    svg,
    data: rows.map(({ model, scenario, drop, low, high }) => ({ model, scenario, drop, low, high })),
  };
}
