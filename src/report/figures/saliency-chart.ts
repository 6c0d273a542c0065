import type { Figure } from '../document.ts';
import { draw, fullWidth, keyScales, keysOf, marginFor, Plot } from './plot.ts';

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
  const keys = keysOf(models);
  const svg = draw(
    {
      width: fullWidth,
      height: 60 + Math.max(24, 12 * models.length + 8) * titles.length,
      marginLeft: marginFor(titles),
      marginBottom: 40,
      x: {
        domain: [0, 100],
        percent: true,
        grid: true,
        label: 'share of the saliency that lies on the object, %',
        labelAnchor: 'center',
        labelArrow: 'none',
      },
      fy: { domain: titles, label: null, axis: 'left', padding: 0.08 },
      y: { domain: models, axis: null },
      ...keyScales(keys),
      marks: [
        Plot.tickX(
          rows.filter(({ area }) => area !== null),
          { fy: 'title', y: 'model', x: 'area', stroke: 'currentColor', strokeOpacity: 0.45, strokeWidth: 2 },
        ),
        Plot.ruleY(
          rows.filter(({ low }) => low !== null),
          { fy: 'title', y: 'model', x1: 'low', x2: 'high', stroke: 'model', strokeWidth: 2 },
        ),
        Plot.dot(rows, { fy: 'title', y: 'model', x: 'share', fill: 'model', symbol: 'model', r: 4 }),
      ],
    },
    { title, legend: models.length > 1 ? keys : [] },
  );
  return {
    id: 'saliency',
    title,
    caption:
      'Bars are 95 % intervals over the images. The grey tick is the object’s share of the picture: where a model that looks anywhere would be.',
    svg,
    data: rows.map(({ model, scenario, share, low, high, area }) => ({ model, scenario, share, low, high, area })),
  };
}
