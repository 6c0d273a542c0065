import type { FoldCell } from '../../metrics/answers/fold-cells.ts';
import type { Figure } from '../document.ts';
import { drawByScenario } from './by-scenario.ts';
import { Plot } from './plot.ts';

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
  const svg = drawByScenario({
    ...{ title, titles, models },
    x: { percent: true, label: 'right answers, %' },
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
  });
  return {
    id: 'folds',
    title,
    caption: 'One mark per fold; the bar is their mean.',
    svg,
    data: cells.map((cell) => ({ ...cell })),
  };
}
