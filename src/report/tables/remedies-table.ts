import type { RemedyComparison } from '../../contracts/remedies.ts';
import type { ReportCell, ReportColumn, ReportTable } from '../document.ts';
import { none, percent, points, pValue, range } from '../show.ts';

const when: Record<string, string> = { training: 'training', test: 'test time', both: 'both' };
const right = { align: 'right' as const };
const change = (key: string, label: string): ReportColumn => ({ key, label, ...right, show: (value) => points(value) });

const sides: ReportColumn[] = [
  { key: 'plain', label: 'Without', ...right, show: (value) => percent(value) },
  { key: 'remedied', label: 'With', ...right, show: (value) => percent(value) },
  change('difference', 'Difference, points'),
  {
    key: 'low',
    label: '95 % interval',
    ...right,
    with: ['high'],
    show: (value, row) => range(value, row.high, (end) => points(end)),
  },
];

/** Every remedy against the plain model, over the scenarios. */
export function remediesTable({ remedies, plain }: RemedyComparison): ReportTable {
  return {
    id: 'helps',
    title: 'What helps',
    note: `Each against: ${plain}. Means over the edits in which the object is still there; P by images, Holm over the remedies.`,
    columns: [
      { key: 'title', label: 'Remedy' },
      { key: 'when', label: 'When', show: (value) => when[String(value)] ?? none },
      ...sides,
      { key: 'p', label: 'P', ...right, show: pValue },
      change('unedited', 'On unedited pictures'),
    ],
    rows: remedies.map(({ title, when: at, overall, scenarios }) => ({
      title,
      when: at,
      plain: overall.plain,
      remedied: overall.remedied,
      difference: overall.difference,
      low: overall.ci?.[0] ?? null,
      high: overall.ci?.[1] ?? null,
      p: overall.pHolm,
      unedited: scenarios.find(({ scenario }) => scenario === 'original')?.difference ?? null,
    })),
  };
}

/** The same, scenario by scenario. */
export function remediesByScenarioTable(
  { remedies }: RemedyComparison,
  title: (scenario: string) => string,
): ReportTable {
  const rows = remedies.flatMap(({ title: remedy, scenarios }) =>
    scenarios.map(
      (row): Record<string, ReportCell> => ({
        remedy,
        scenario: title(row.scenario),
        pairs: row.pairs,
        plain: row.plain,
        remedied: row.remedied,
        difference: row.difference,
        low: row.ci?.[0] ?? null,
        high: row.ci?.[1] ?? null,
        gained: row.gained,
        lost: row.lost,
        p: row.pHolm,
      }),
    ),
  );
  return {
    id: 'helps-scenarios',
    title: 'What helps, by scenario',
    note: 'P: exact McNemar, Holm over the scenarios of a remedy.',
    folded: rows.length > 15,
    columns: [
      { key: 'remedy', label: 'Remedy' },
      { key: 'scenario', label: 'Scenario' },
      { key: 'pairs', label: 'n', ...right },
      ...sides,
      { key: 'gained', label: 'Turned right', ...right },
      { key: 'lost', label: 'Turned wrong', ...right },
      { key: 'p', label: 'P', ...right, show: pValue },
    ],
    rows,
  };
}
