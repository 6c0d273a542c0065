import type { ReportData } from '../data/load.ts';
import type { ReportCell, ReportTable } from '../document.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { percent, points, pValue, range } from '../show.ts';

/** Every model on every scenario. */
export function dropTable({ score, models, scenarios }: ReportData): ReportTable {
  const rows = models.flatMap((model) => {
    const own = score.models.find((candidate) => candidate.model === model);
    return scenarios.flatMap((scenario) => {
      const row = own?.scenarios.find((candidate) => candidate.scenario === scenario);
      if (!row) return [];
      return [
        {
          model,
          scenario,
          n: row.n,
          top1: row.top1,
          top1Low: row.ci?.[0] ?? null,
          top1High: row.ci?.[1] ?? null,
          top1Own: row.top1Own,
          drop: row.drop,
          dropLow: row.dropCi?.[0] ?? null,
          dropHigh: row.dropCi?.[1] ?? null,
          p: row.p,
          pHolm: row.pHolm,
        },
      ];
    });
  });
  const pts = (value: ReportCell) => points(value);
  return {
    id: 'drops',
    title: 'Accuracy and loss per scenario',
    note: 'Loss is original minus scenario over the same images; P is McNemar’s exact test, corrected by Holm over the scenarios of a model. “Own classes” counts answers among the dataset’s classes alone.',
    folded: rows.length > 20,
    columns: [
      { key: 'model', label: 'Model' },
      { key: 'scenario', label: 'Scenario', show: (value) => scenarioTitle(String(value)) },
      { key: 'n', label: 'n', align: 'right' },
      { key: 'top1', label: 'Right', align: 'right', show: (value) => percent(value) },
      {
        key: 'top1Low',
        label: '95 % interval',
        align: 'right',
        with: ['top1High'],
        show: (v, row) => range(v, row.top1High, pts),
      },
      { key: 'top1Own', label: 'Own classes', align: 'right', show: (value) => percent(value) },
      { key: 'drop', label: 'Loss, points', align: 'right', show: pts },
      {
        key: 'dropLow',
        label: '95 % interval',
        align: 'right',
        with: ['dropHigh'],
        show: (v, row) => range(v, row.dropHigh, pts),
      },
      { key: 'p', label: 'P', align: 'right', show: pValue },
      { key: 'pHolm', label: 'P, Holm', align: 'right', show: pValue },
    ],
    rows,
  };
}
