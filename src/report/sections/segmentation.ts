import type { ReportData } from '../data/load.ts';
import type { Section } from '../document.ts';
import { segmentationChart } from '../figures/segmentation-chart.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { segmentationRows, segmentationTable } from '../tables/segmentation.ts';

export function segmentationSection({ score }: ReportData): Section | null {
  const rows = segmentationRows(score);
  if (!rows.length) return null;
  const objects = rows.flatMap(({ model, scenario, class: name, iou }) =>
    name === 'object' && iou.mean !== null
      ? [
          {
            model,
            scenario,
            title: scenarioTitle(scenario),
            iou: iou.mean,
            low: iou.ci?.[0] ?? null,
            high: iou.ci?.[1] ?? null,
          },
        ]
      : [],
  );
  return {
    id: 'segmentation',
    title: 'Segmentation',
    blocks: [
      ...(objects.length ? [{ kind: 'figures' as const, figures: [segmentationChart(objects)] }] : []),
      { kind: 'table', table: segmentationTable(rows) },
    ],
  };
}
