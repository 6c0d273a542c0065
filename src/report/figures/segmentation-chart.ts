import type { Figure } from '../document.ts';
import { draw, fullWidth, keyScales, keysOf, marginFor, Plot } from './plot.ts';

export interface IouRow {
  readonly model: string;
  readonly scenario: string;
  readonly title: string;
  readonly iou: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Mean overlap of the segmented object with its mask, per scenario. */
export function segmentationChart(rows: readonly IouRow[]): Figure {
  const title = 'Overlap of the segmented object with its mask';
  const models = [...new Set(rows.map(({ model }) => model))];
  const titles = [...new Set(rows.map((row) => row.title))];
  const keys = keysOf(models);
  const svg = draw(
    {
      width: fullWidth,
      height: 60 + Math.max(22, 11 * models.length + 8) * titles.length,
      marginLeft: marginFor(titles),
      marginBottom: 40,
      x: { domain: [0, 1], grid: true, label: 'mean IoU', labelAnchor: 'center', labelArrow: 'none' },
      fy: { domain: titles, label: null, axis: 'left', padding: 0.08 },
      y: { domain: models, axis: null },
      ...keyScales(keys),
      marks: [
        Plot.ruleY(
          rows.filter(({ low }) => low !== null),
          { fy: 'title', y: 'model', x1: 'low', x2: 'high', stroke: 'model', strokeWidth: 2 },
        ),
        Plot.dot(rows, { fy: 'title', y: 'model', x: 'iou', fill: 'model', symbol: 'model', r: 4 }),
      ],
    },
    { title, legend: models.length > 1 ? keys : [] },
  );
  return {
    id: 'segmentation',
    title,
    caption: 'Bars are 95 % intervals over the images.',
    svg,
    data: rows.map(({ model, scenario, iou, low, high }) => ({ model, scenario, iou, low, high })),
  };
}
