import type { Figure } from '../document.ts';
import { dotsWithIntervals, drawByScenario } from './by-scenario.ts';

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
  const svg = drawByScenario({
    ...{ title, titles, models },
    x: { domain: [0, 1], label: 'mean IoU' },
    marks: dotsWithIntervals(rows, 'iou'),
  });
  return {
    id: 'segmentation',
    title,
    caption: 'Bars are 95 % intervals over the images.',
    svg,
    data: rows.map(({ model, scenario, iou, low, high }) => ({ model, scenario, iou, low, high })),
  };
}
