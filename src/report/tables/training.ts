import type { Score } from '../../contracts/score.ts';
import { originalScenario } from '../../metrics/table/cells.ts';
import { mixName } from '../../train/head-plan.ts';
import type { ReportTable } from '../document.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { percent, points, range } from '../show.ts';

export interface HeadRow {
  readonly [key: string]: string | number | null;
  readonly model: string;
  readonly trained: string;
  readonly scenario: string;
  readonly n: number;
  readonly top1: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** What a head was trained on, for readers. */
export const headTitle = (trained: string, on: readonly string[] = []): string =>
  trained === mixName
    ? 'All scenarios together'
    : on.length > 1
      ? on.map(scenarioTitle).join(' + ')
      : scenarioTitle(trained);

/** Accuracy of every head, by the scenario it was trained on and the one it was tested on. */
export function headRows({ models }: Score, shown: ReadonlyMap<string, string>): HeadRow[] {
  return models.flatMap(({ model, scenarios, heads = [] }) => {
    const main = shown.get(model) ?? '';
    const known = new Set(heads.map(({ trained }) => trained));
    // What stands for the model elsewhere in the report is not among the further heads: the head of `original`, or,
    // without one, each head where it was trained.
    const own =
      main === '' || known.has(originalScenario)
        ? []
        : scenarios.map((row) => ({ trained: main === originalScenario ? main : row.scenario, row }));
    return [
      ...own.filter(({ trained }) => !known.has(trained)),
      ...heads.flatMap(({ trained, scenarios: tested }) => tested.map((row) => ({ trained, row }))),
    ]
      .filter(({ trained }) => trained !== '')
      .map(({ trained, row: { scenario, n, top1, ci } }) => ({
        model,
        trained,
        scenario,
        n,
        top1,
        low: ci?.[0] ?? null,
        high: ci?.[1] ?? null,
      }));
  });
}

export function trainingTable(rows: readonly HeadRow[], titleOf: (row: HeadRow) => string): ReportTable {
  return {
    id: 'training',
    title: 'Trained on one scenario, tested on each',
    folded: true,
    columns: [
      { key: 'model', label: 'Model' },
      { key: 'trained', label: 'Trained on', show: (_, row) => titleOf(row as HeadRow) },
      { key: 'scenario', label: 'Tested on', show: (value) => scenarioTitle(String(value)) },
      { key: 'n', label: 'n', align: 'right' },
      { key: 'top1', label: 'Right', align: 'right', show: (value) => percent(value) },
      {
        key: 'low',
        label: '95 % interval',
        align: 'right',
        with: ['high'],
        show: (value, row) => range(value, row.high, (end) => points(end)),
      },
    ],
    rows: [...rows],
  };
}
