import type { Rank } from '../../contracts/rank.ts';
import type { ReportCell, ReportColumn, ReportTable } from '../document.ts';
import { none, percent, points, pValue, range } from '../show.ts';

/** Candidate models by how they do under the shifts. */
export function rankTable({ models, shifts, by }: Rank): ReportTable {
  const right = { align: 'right' as const };
  const share = (key: string, label: string): ReportColumn => ({
    key,
    label,
    ...right,
    show: (value) => percent(value),
  });
  return {
    id: 'rank',
    title: 'Which model to take',
    note: `${by === 'auroc' ? 'Area under the ROC curve' : by === 'balanced' ? 'Mean accuracy of the classes' : 'Right answers'}; every shift counts alike: ${shifts.map(({ shift, scenarios }) => `${shift} (${scenarios.join(', ')})`).join('; ')}. “First” is how often the model comes first when the images are drawn anew; P by images, Holm over all pairs of models.`,
    columns: [
      { key: 'rank', label: '', ...right },
      { key: 'model', label: 'Model' },
      share('clean', 'As photographed'),
      {
        key: 'shifted',
        label: 'Over the shifts (95\u00a0%)',
        ...right,
        with: ['low', 'high'],
        show: (value, row) => `${percent(value)} (${range(row.low, row.high, (end) => points(end))})`,
      },
      ...shifts.map(({ shift }, k) => share(`shift${k + 1}`, shift)),
      { key: 'worst', label: 'Worst' },
      { key: 'first', label: 'First', ...right, show: (value) => percent(value, 0) },
      { key: 'behind', label: 'Behind, points', ...right, show: (value) => (value === null ? none : points(value)) },
      {
        key: 'p',
        label: 'P',
        ...right,
        show: pValue,
      },
    ],
    rows: models.map(
      (model): Record<string, ReportCell> => ({
        rank: model.rank,
        model: model.model,
        clean: model.clean?.value ?? null,
        shifted: model.shifted.value,
        low: model.shifted.ci?.[0] ?? null,
        high: model.shifted.ci?.[1] ?? null,
        ...Object.fromEntries(model.shifts.map(({ value }, k) => [`shift${k + 1}`, value])),
        worst: model.worst.shift,
        first: model.best,
        behind: model.behind?.difference ?? null,
        p: model.behind?.pHolm ?? null,
      }),
    ),
  };
}
