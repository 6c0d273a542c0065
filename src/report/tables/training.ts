import type { Score } from '../../contracts/score.ts';
import type { Table } from '../document.ts';
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

/** Accuracy of every head, by the scenario it was trained on and the one it was tested on. */
export function headRows({ models }: Score, shown: ReadonlyMap<string, string>): HeadRow[] {
  return models.flatMap(({ model, scenarios, heads = [] }) => {
    if (!heads.length) return [];
    // The head shown elsewhere in the report is not among the further ones.
    const all = [{ trained: shown.get(model) ?? '', scenarios }, ...heads];
    return all
      .filter(({ trained }, i) => trained !== '' && all.findIndex((head) => head.trained === trained) === i)
      .flatMap(({ trained, scenarios: tested }) =>
        tested.map(({ scenario, n, top1, ci }) => ({
          model,
          trained,
          scenario,
          n,
          top1,
          low: ci?.[0] ?? null,
          high: ci?.[1] ?? null,
        })),
      );
  });
}

export function trainingTable(rows: readonly HeadRow[]): Table {
  return {
    id: 'training',
    title: 'Trained on one scenario, tested on each',
    folded: true,
    columns: [
      { key: 'model', label: 'Model' },
      { key: 'trained', label: 'Trained on', show: (value) => scenarioTitle(String(value)) },
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
