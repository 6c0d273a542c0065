import { isCounted } from '../../metrics/counted.ts';
import { originalScenario } from '../../metrics/table/cells.ts';
import type { ReportData } from '../data/load.ts';
import type { ReportTable } from '../document.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { percent, points, range } from '../show.ts';

const purposes = {
  control: 'control: what the editing itself costs',
  removal: 'object removed: what the background alone gives away',
} as const;

/** Controls and pictures without the object: measured beside the shifts, and in none of their sums. */
export function uncountedTable({ score, models }: ReportData): ReportTable | null {
  const rows = models.flatMap((model) =>
    (score.models.find((candidate) => candidate.model === model)?.scenarios ?? [])
      .filter(({ scenario }) => scenario !== originalScenario && !isCounted(scenario))
      .map(({ scenario, part, n, top1, top1Own, drop, dropCi }) => ({
        model,
        scenario,
        purpose: purposes[part as keyof typeof purposes],
        n,
        top1,
        top1Own,
        drop,
        dropLow: dropCi?.[0] ?? null,
        dropHigh: dropCi?.[1] ?? null,
      })),
  );
  if (!rows.length) return null;
  return {
    id: 'uncounted',
    title: 'Beside the shifts: controls and removals',
    note: 'In none of the sums above: a loss without the object is right, and a control measures the editing.',
    folded: rows.length > 12,
    columns: [
      { key: 'model', label: 'Model' },
      { key: 'scenario', label: 'Scenario', show: (value) => scenarioTitle(String(value)) },
      { key: 'purpose', label: 'What for' },
      { key: 'n', label: 'n', align: 'right' },
      { key: 'top1', label: 'Right', align: 'right', show: (value) => percent(value) },
      { key: 'top1Own', label: 'Own classes', align: 'right', show: (value) => percent(value) },
      { key: 'drop', label: 'Loss, points', align: 'right', show: (value) => points(value) },
      {
        key: 'dropLow',
        label: '95\u00a0% interval',
        align: 'right',
        with: ['dropHigh'],
        show: (value, row) => range(value, row.dropHigh, (end) => points(end)),
      },
    ],
    rows,
  };
}
