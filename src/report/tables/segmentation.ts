import type { Score, SegmentationScore } from '../../contracts/score.ts';
import { shownLabel } from '../../labels/imagenet-1k.ts';
import type { ReportTable } from '../document.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { percent, points, range } from '../show.ts';

export type SegmentationRows = readonly SegmentationScore[];
export const segmentationRows = (score: Score): SegmentationRows => score.segmentation ?? [];

export function segmentationTable(rows: SegmentationRows): ReportTable {
  return {
    id: 'segmentation',
    title: 'Segmentation',
    note: 'Means over the images against their masks, uncertain borders left out; boundary F within 0.8 % of the diagonal.',
    folded: rows.length > 30,
    columns: [
      { key: 'model', label: 'Model' },
      { key: 'scenario', label: 'Scenario', show: (value) => scenarioTitle(String(value)) },
      { key: 'class', label: 'Of' },
      { key: 'n', label: 'n', align: 'right' },
      { key: 'iou', label: 'IoU', align: 'right', show: (value) => percent(value) },
      {
        key: 'iouLow',
        label: '95 % interval',
        align: 'right',
        with: ['iouHigh'],
        show: (v, row) => range(v, row.iouHigh, (end) => points(end)),
      },
      { key: 'drop', label: 'Loss, points', align: 'right', show: (value) => points(value) },
      {
        key: 'dropLow',
        label: '95 % interval',
        align: 'right',
        with: ['dropHigh'],
        show: (v, row) => range(v, row.dropHigh, (end) => points(end)),
      },
      { key: 'dice', label: 'Dice', align: 'right', show: (value) => percent(value) },
      { key: 'pixelAccuracy', label: 'Pixels right', align: 'right', show: (value) => percent(value) },
      { key: 'boundaryF', label: 'Boundary F', align: 'right', show: (value) => percent(value) },
    ],
    rows: rows.map((row) => ({
      model: row.model,
      scenario: row.scenario,
      class: shownLabel(row.class),
      n: row.n,
      iou: row.iou.mean,
      iouLow: row.iou.ci?.[0] ?? null,
      iouHigh: row.iou.ci?.[1] ?? null,
      drop: row.iou.drop,
      dropLow: row.iou.dropCi?.[0] ?? null,
      dropHigh: row.iou.dropCi?.[1] ?? null,
      dice: row.dice.mean,
      pixelAccuracy: row.pixelAccuracy.mean,
      boundaryF: row.boundaryF.mean,
    })),
  };
}
