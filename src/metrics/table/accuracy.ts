import { expected, UserError } from '../../contracts/errors.ts';
import { groupBy } from '../analyze/collapse.ts';
import { type ColumnTable, isMissing, type TextColumn } from '../analyze/table.ts';

/** One row of a table printed elsewhere. */
export interface AccuracyCell {
  readonly model: string;
  readonly trained: string;
  readonly scenario: string;
  readonly class: string;
  readonly accuracy: number;
  /** Images behind it; NaN: not said. */
  readonly n: number;
}

export const isAccuracyTable = (table: ColumnTable): boolean =>
  ['model', 'scenario', 'accuracy'].every((name) => table.has(name));

export function toAccuracyCells(table: ColumnTable): AccuracyCell[] {
  if (table.rowCount === 0) throw expected('at least one row', table.source, 'a header alone');
  const text = (name: string): TextColumn =>
    table.has(name) ? table.text(name) : { codes: new Uint32Array(table.rowCount), levels: [''] };
  const columns = ['model', 'trained', 'scenario', 'class'].map(text);
  const accuracy = table.numbers('accuracy');
  const n = table.has('n') ? table.numbers('n') : new Float64Array(table.rowCount).fill(Number.NaN);
  const { cell, first } = groupBy(columns, table.rowCount);
  if (first.length < table.rowCount) {
    const again = cell.findIndex((c, row) => first[c] !== row);
    const at = columns.map(({ codes, levels }) => levels[codes[again]]).filter(Boolean);
    throw new UserError(
      `Rows ${first[cell[again]] + 1} and ${again + 1} of ${table.source} are the same: ${at.join(', ')}`,
    );
  }
  return Array.from(accuracy, (value, row): AccuracyCell => {
    const where = `accuracy, row ${row + 1} of ${table.source}`;
    if (value > 1) throw expected('a fraction from 0 to 1', where, value, 'divide percentages by 100');
    if (!(value >= 0)) throw expected('a fraction from 0 to 1', where, Number.isNaN(value) ? '' : value);
    const [model, trained, scenario, className] = columns.map(({ codes, levels }) => levels[codes[row]]);
    if (!model || !scenario) throw expected('a model and a scenario', `row ${row + 1} of ${table.source}`, '');
    return {
      model,
      trained: isMissing(trained.trim()) ? '' : trained,
      scenario,
      class: className,
      accuracy: value,
      n: n[row],
    };
  });
}
