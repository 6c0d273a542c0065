import type { Figure } from '../document.ts';
import { dotsWithIntervals, drawByScenario } from './by-scenario.ts';
import { Plot } from './plot.ts';

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
  const svg = drawByScenario({
    ...{ title, titles, models },
    x: { percent: true, label: 'points of accuracy lost (right is worse)' },
    marks: [Plot.ruleX([0], { stroke: 'currentColor', strokeOpacity: 0.6 }), ...dotsWithIntervals(rows, 'drop')],
  });
  return {
    id: 'drops',
    title,
    caption:
      'Original minus scenario, over the same images. Bars are 95 % intervals; one that crosses zero may be no loss at all.',
    svg,
    data: rows.map(({ model, scenario, drop, low, high }) => ({ model, scenario, drop, low, high })),
  };
}
