import { borderTrials } from '../../scenarios/paste.ts';
import { groupBy } from '../analyze/collapse.ts';
import { type Predictions, rowsByCell } from './predictions.ts';

export const originalScenario = 'original';

/** The rows of one model (and head) on one scenario. */
export interface AnswerCell {
  readonly model: string;
  readonly trained: string;
  readonly scenario: string;
  readonly rows: Uint32Array;
}

export interface ModelCells {
  readonly model: string;
  /** By the scenario the head was trained on; '' for the model as delivered, without a trained head. */
  readonly heads: ReadonlyMap<string, readonly AnswerCell[]>;
  /** Scenarios made again with the masks' uncertain border counted to one side: for the verdict, and in nothing else. */
  readonly borderTrials: readonly AnswerCell[];
}

/** Cells by model in their order, else that of appearance; within a head `original` comes first, the others likewise. */
export function cellsByModel(predictions: Predictions): ModelCells[] {
  const { model, trained, scenario, rowCount, order } = predictions;
  const { cell, first } = groupBy([model, trained, scenario], rowCount);
  const { rows, starts } = rowsByCell(cell);
  const models = new Map<string, Map<string, AnswerCell[]>>();
  const all = Array.from(
    first,
    (row, c): AnswerCell => ({
      model: model.levels[model.codes[row]],
      trained: trained.levels[trained.codes[row]],
      scenario: scenario.levels[scenario.codes[row]],
      rows: rows.subarray(starts[c], starts[c + 1]),
    }),
  );
  if (order) sortCells(all, order);
  for (const found of all) {
    const heads = models.get(found.model) ?? new Map<string, AnswerCell[]>();
    models.set(found.model, heads);
    const cells = heads.get(found.trained) ?? [];
    heads.set(found.trained, cells);
    if (found.scenario === originalScenario) cells.unshift(found);
    else cells.push(found);
  }
  return [...models].map(([name, heads]) => {
    const trials: AnswerCell[] = [];
    for (const [trained, cells] of heads) {
      const tried = borderTrials(cells.map((one) => one.scenario));
      heads.set(
        trained,
        cells.filter((one) => !tried.has(one.scenario)),
      );
      trials.push(...cells.filter((one) => tried.has(one.scenario)));
    }
    return { model: name, heads, borderTrials: trials };
  });
}

/** The rows that stand for the model: as delivered, else trained on `original`, else each head where it was trained. */
export function mainCells({ heads }: ModelCells): readonly AnswerCell[] {
  const whole = heads.get('') ?? heads.get(originalScenario);
  if (whole) return whole;
  const inScenario = [...heads.values()].flat().filter(({ trained, scenario }) => trained === scenario);
  return inScenario.length > 0 ? inScenario : ([...heads.values()][0] as readonly AnswerCell[]);
}

/** What the order does not name comes last, by name. */
function sortCells(cells: AnswerCell[], { models, scenarios }: NonNullable<Predictions['order']>): void {
  const byPlace = (names: readonly string[]) => {
    const place = new Map(names.map((name, i) => [name, i]));
    const placeOf = (name: string) => place.get(name) ?? names.length;
    return (a: string, b: string) => placeOf(a) - placeOf(b) || (a < b ? -1 : a > b ? 1 : 0);
  };
  const [byModel, byScenario] = [byPlace(models), byPlace(scenarios)];
  cells.sort(
    (a, b) => byModel(a.model, b.model) || byScenario(a.trained, b.trained) || byScenario(a.scenario, b.scenario),
  );
}
