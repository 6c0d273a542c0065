import type { Analysis } from '../../contracts/analysis.ts';
import type { ReportData } from '../data/load.ts';
import type { Block, Section } from '../document.ts';
import { segmentationChart } from '../figures/segmentation-chart.ts';
import { said } from '../formats/inline.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { listWords, percent } from '../show.ts';
import { regressionTable } from '../tables/regression.ts';
import { segmentationRows, segmentationTable } from '../tables/segmentation.ts';

export function segmentationSection({ score, segmentationAnalysis }: ReportData): Section | null {
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
      ...goneWords(rows),
      ...(segmentationAnalysis ? regressionOf(segmentationAnalysis) : []),
    ],
  };
}

function goneWords(rows: ReturnType<typeof segmentationRows>): Block[] {
  const items = rows.flatMap(({ model, scenario, iou, predictedShare }) =>
    iou.mean === null
      ? [
          `**${said(model)}**, ${said(scenarioTitle(scenario))}: the object is gone, so there is no IoU, Dice or boundary F; ${percent(predictedShare?.mean ?? null)} of the picture is still called object.`,
        ]
      : [],
  );
  return items.length ? [{ kind: 'list', items }] : [];
}

/** As the poster's EX3: coefficients of IoU. */
function regressionOf(analysis: Analysis): Block[] {
  const at = Object.entries(analysis.references).map(([name, level]) => `${name} ${level}`);
  return [
    { kind: 'heading', text: 'What moves the IoU?' },
    {
      kind: 'text',
      text: `\`${analysis.formula}\`, least squares over ${analysis.n} cells, each level against its reference (${listWords(at)}).`,
    },
    {
      kind: 'table',
      table: {
        ...regressionTable(analysis, { folded: analysis.terms.length > 30 }),
        id: 'segmentation-regression',
        title: 'Regression coefficients of the IoU',
      },
    },
  ];
}
