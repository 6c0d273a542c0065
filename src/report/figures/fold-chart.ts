import type { FoldCell } from '../../metrics/answers/fold-cells.ts';
import type { Figure } from '../document.ts';
import { draw, fullWidth, keyScales, keysOf, marginFor, Plot } from './plot.ts';

interface FoldOptions {
  readonly models: readonly string[];
  readonly titleOf: (scenario: string) => string;
  readonly scenarios: readonly string[];
}

/** How far the accuracy of one fold lies from that of another. */
export function foldChart(cells: readonly FoldCell[], { models, titleOf, scenarios }: FoldOptions): Figure {
  const title = 'Spread over the folds';
  const shown = cells.map((cell) => ({ ...cell, title: titleOf(cell.scenario) }));
  const titles = scenarios.map(titleOf);
  const keys = keysOf(models);
  const svg = draw(
    {
      width: fullWidth,
      height: 60 + Math.max(22, 11 * models.length + 8) * titles.length,
      marginLeft: marginFor(titles),
      marginBottom: 40,
      x: { percent: true, grid: true, label: 'right answers, %', labelAnchor: 'center', labelArrow: 'none' },
      fy: { domain: titles, label: null, axis: 'left', padding: 0.08 },
      y: { domain: [...models], axis: null },
      ...keyScales(keys),
      marks: [
        Plot.dot(shown, {
          fy: 'title',
          y: 'model',
          x: 'accuracy',
          stroke: 'model',
          symbol: 'model',
          r: 3.5,
          strokeOpacity: 0.8,
        }),
        Plot.tickX(
          shown,
          Plot.groupY(
            { x: 'mean' },
            { fy: 'title', y: 'model', x: 'accuracy', stroke: 'currentColor', strokeWidth: 2.5 },
          ) as never,
        ),
      ],
    },
    { title, legend: models.length > 1 ? keys : [] },
  );
  return {
    id: 'folds',
    title,
    caption: 'One mark per fold; the bar is their mean.',
    svg,
    data: cells.map((cell) => ({ ...cell })),
  };
}
