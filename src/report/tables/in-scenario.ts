import type { HeadDifference } from '../../contracts/training.ts';
import { originalScenario } from '../../metrics/table/cells.ts';
import type { TrainedModel } from '../data/training.ts';
import type { ReportCell, ReportColumn, ReportTable } from '../document.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { none, percent, points, pValue, range } from '../show.ts';
import { headTitle } from './training.ts';

const right = { align: 'right' as const };

/** A difference in points with its interval, then its P. */
const tested = (key: string, label: string): ReportColumn[] => [
  {
    key,
    label: `${label} (95\u00a0%)`,
    ...right,
    with: [`${key}Low`, `${key}High`],
    show: (value, row) => {
      const interval = range(row[`${key}Low`], row[`${key}High`], (end) => points(end));
      return interval === none ? points(value) : `${points(value)} (${interval})`;
    },
  },
  { key: `${key}P`, label: 'P', ...right, show: pValue },
];

const cellsOf = (key: string, found: HeadDifference | undefined): Record<string, ReportCell> => ({
  [key]: found?.difference ?? null,
  [`${key}Low`]: found?.ci?.[0] ?? null,
  [`${key}High`]: found?.ci?.[1] ?? null,
  [`${key}P`]: found?.pHolm ?? null,
});

/** C′(i): every head on held-out images of its own scenario. */
export function inScenarioTable(models: readonly TrainedModel[]): ReportTable {
  const rows = models.flatMap(({ model, heads, differences }) =>
    heads.map(({ trained, on, n, accuracy, foldSpread }) => {
      const single = on.length === 1;
      const against = (scenario: string) =>
        single
          ? differences.find(
              ({ trained: name, tested: at, against: other }) =>
                name === trained && at === trained && other.tested === scenario,
            )
          : undefined;
      return {
        model,
        scenario: trained,
        title: headTitle(trained, on),
        n,
        accuracy,
        foldSpread,
        ...cellsOf('change', against(originalScenario)),
        ...cellsOf('gain', against(trained)),
      };
    }),
  );
  return {
    id: 'in-scenario',
    title: 'Trained and tested in the same scenario',
    note: 'C′: right answers on held-out images of the scenario trained on. Spread: standard deviation of the accuracy over the folds, in points; a spread, not a standard error. From original: minus trained and tested on original, what the scenario leaves harder even for a model that learnt it. Gain: minus trained on original but tested here, what learning the scenario brings. Both in points, means over the folds; t by Nadeau and Bengio (2003), which allows for folds that share training images, P by Holm.',
    columns: [
      { key: 'model', label: 'Model' },
      { key: 'scenario', label: 'Trained on', show: (_, row) => String(row.title) },
      { key: 'n', label: 'n', ...right },
      { key: 'accuracy', label: 'C′', ...right, show: (value) => percent(value) },
      { key: 'foldSpread', label: 'Spread', ...right, show: (value) => points(value) },
      ...tested('change', 'From original'),
      ...tested('gain', 'Gain'),
    ],
    rows,
  };
}

/** Heads trained on several scenarios, against the one trained on `original`; null where there are none. */
export function mixtureTable(models: readonly TrainedModel[]): ReportTable | null {
  const rows = models.flatMap(({ model, heads, differences }) =>
    heads
      .filter(({ on }) => on.length > 1)
      .flatMap(({ trained, on }) =>
        differences
          .filter((row) => row.trained === trained)
          .map((row) => ({
            model,
            trained,
            title: headTitle(trained, on),
            scenario: row.tested,
            ...cellsOf('gain', row),
          })),
      ),
  );
  if (!rows.length) return null;
  return {
    id: 'training-mixtures',
    title: 'Trained on several scenarios together',
    note: 'Gain: minus trained on original, both tested in the scenario named; in points, tested as above.',
    folded: rows.length > 20,
    columns: [
      { key: 'model', label: 'Model' },
      { key: 'trained', label: 'Trained on', show: (_, row) => String(row.title) },
      { key: 'scenario', label: 'Tested on', show: (value) => scenarioTitle(String(value)) },
      ...tested('gain', 'Gain'),
    ],
    rows,
  };
}
