import { UserError } from '../../contracts/errors.ts';
import type { PredictionRow } from '../../contracts/prediction.ts';
import { needColumns } from '../../models/read-table.ts';

type Cells = Record<string, string>;

/**
 * Rows of the predictions CSV as rows of a run. `correct` counts where the file has it; else an answer is right that is the
 * label's own word, as `score` takes it.
 */
export function toPredictionRows(
  { columns, rows }: { columns: readonly string[]; rows: readonly Cells[] },
  path: string,
): PredictionRow[] {
  needColumns(path, columns, ['model', 'scenario', 'sample', 'label', 'prediction']);
  if (!rows.length) throw new UserError(`${path} holds no predictions`);
  const seen = new Set<string>();
  return rows.map((cells, i) => {
    const row = toRow(cells, `row ${i + 1} of ${path}`);
    const key = JSON.stringify([row.model, row.trained, row.scenario, row.sample, row.fold]);
    if (seen.has(key))
      throw new UserError(
        `${path} answers twice for ${row.sample} in ${row.scenario}${row.trained && ` by the model trained on ${row.trained}`}`,
      );
    seen.add(key);
    return row;
  });
}

function toRow(cells: Cells, where: string): PredictionRow {
  const text = (name: string): string => {
    if (!cells[name]) throw new UserError(`Expected a ${name} in ${where} but found an empty cell`);
    return cells[name];
  };
  const number = (...names: string[]): number | undefined => {
    const name = names.find((each) => cells[each] !== undefined && cells[each] !== '');
    if (name === undefined) return undefined;
    const value = Number(cells[name]);
    if (!Number.isFinite(value))
      throw new UserError(`Expected a number for ${name} in ${where} but found '${cells[name]}'`);
    return value;
  };
  const [label, prediction] = [text('label'), text('prediction')];
  const correct = truth(cells.correct) ?? prediction === label;
  const probability = number('probability') ?? null;
  const fold = number('fold') ?? -1;
  if (!Number.isInteger(fold))
    throw new UserError(`Expected a whole number for fold in ${where} but found '${cells.fold}'`);
  return {
    model: text('model'),
    trained: cells.trained ?? '',
    scenario: text('scenario'),
    sample: text('sample'),
    group: cells.group ?? '',
    label,
    fold,
    prediction,
    probability,
    probabilityTruth: number('probabilityTruth') ?? (correct ? probability : null),
    rankTruth: number('rankTruth', 'rank') ?? (correct ? 1 : null),
    correct,
    correctOwn: truth(cells.correctOwn) ?? correct,
  };
}

function truth(cell: string | undefined): boolean | undefined {
  if (cell === undefined || cell === '') return undefined;
  return /^(true|1|yes)$/i.test(cell);
}
