import type { Figure } from '../document.ts';
import { dotsWithIntervals, drawByScenario } from './by-scenario.ts';
import { Plot } from './plot.ts';

export interface SaliencyShareRow {
  readonly model: string;
  readonly scenario: string;
  readonly title: string;
  readonly share: number;
  readonly low: number | null;
  readonly high: number | null;
  /** The object's share of the picture: what a map without any preference gives. */
  readonly area: number | null;
}

/** Share of the saliency on the object, per scenario and model, with chance beside it. */
export function saliencyChart(rows: readonly SaliencyShareRow[], models: readonly string[]): Figure {
  const title = 'Saliency on the object';
  const titles = [...new Set(rows.map((row) => row.title))];
  const svg = drawByScenario({
    ...{ title, titles, models },
    bandPx: Math.max(24, 12 * models.length + 8),
    x: { domain: [0, 100], percent: true, label: 'share of the saliency that lies on the object, %' },
    marks: [
      Plot.tickX(
        rows.filter(({ area }) => area !== null),
        { fy: 'title', y: 'model', x: 'area', stroke: 'currentColor', strokeOpacity: 0.45, strokeWidth: 2 },
      ),
      ...dotsWithIntervals(rows, 'share'),
    ],
  });
  return {
    id: 'saliency',
    title,
    caption:
      'Bars are 95 % intervals over the images. The grey tick is the object’s share of the picture: where a model that looks anywhere would be.',
    svg,
    data: rows.map(({ model, scenario, share, low, high, area }) => ({ model, scenario, share, low, high, area })),
  };
}
