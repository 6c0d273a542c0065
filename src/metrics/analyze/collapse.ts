import { UserError } from '../../contracts/errors.ts';
import { type ColumnInput, type ColumnTable, isMissing, type TextColumn, tableFrom } from './table.ts';

/** Predictions brought to one row per model × scenario × class, with the way back to the single answers. */
export interface CollapsedAnswers {
  /** Columns model, scenario, class (and trained, or what else was asked for), `accuracy`, `n`, `errors`. */
  readonly table: ColumnTable;
  /** Cell of each answer. */
  readonly cell: Uint32Array;
  /** 1 where the answer was right. */
  readonly correct: Uint8Array;
  /** The image behind each answer, and its group where groups are given (else the image). */
  readonly sample: TextColumn;
  readonly group: TextColumn | null;
}

export const isPredictions = (table: ColumnTable): boolean =>
  ['model', 'scenario', 'sample', 'label'].every((name) => table.has(name)) &&
  (table.has('prediction') || table.has('correct'));

/** Groups the answers by model, trained (where it varies), scenario, class and any further columns. */
export function collapse(predictions: ColumnTable, extra: readonly string[] = []): CollapsedAnswers {
  const label = predictions.text('label');
  const trained = predictions.has('trained') ? predictions.text('trained') : undefined;
  const keys: [string, TextColumn][] = [
    ['model', predictions.text('model')],
    ...(trained && trained.levels.length > 1 ? ([['trained', trained]] as [string, TextColumn][]) : []),
    ['scenario', predictions.text('scenario')],
    ['class', predictions.has('class') ? predictions.text('class') : label],
  ];
  for (const name of extra)
    if (!keys.some(([known]) => known === name) && predictions.has(name)) keys.push([name, predictions.text(name)]);
  const correct = correctness(predictions, label);
  const { cell, first } = groupBy(
    keys.map(([, column]) => column),
    predictions.rowCount,
  );
  const n = new Float64Array(first.length);
  const right = new Float64Array(first.length);
  for (let i = 0; i < cell.length; i++) {
    n[cell[i]]++;
    right[cell[i]] += correct[i];
  }
  const columns: Record<string, ColumnInput> = {};
  for (const [name, { codes, levels }] of keys)
    columns[name] = { codes: Uint32Array.from(first, (row) => codes[row]), levels };
  columns.accuracy = right.map((value, c) => value / n[c]);
  columns.n = n;
  columns.errors = right.map((value, c) => n[c] - value);
  const group = predictions.has('group') ? predictions.text('group') : undefined;
  return {
    table: tableFrom(columns, predictions.source),
    cell,
    correct,
    sample: predictions.text('sample'),
    // An empty group is an image of its own.
    group: group?.levels.some((level) => level !== '') ? ownGroups(group, predictions.text('sample')) : null,
  };
}

/** `correct` where the table has it, else whether prediction and label are the same word. */
function correctness(predictions: ColumnTable, label: TextColumn): Uint8Array {
  const correct = new Uint8Array(predictions.rowCount);
  if (predictions.has('correct')) {
    const { codes, levels } = predictions.text('correct');
    const value = levels.map((level) => truth(level));
    const unknown = value.indexOf(undefined);
    if (unknown >= 0)
      throw new UserError(
        `Expected true, false, 1 or 0 in column 'correct' of ${predictions.source} but found '${levels[unknown]}'`,
      );
    for (let i = 0; i < codes.length; i++) correct[i] = value[codes[i]] as number;
    return correct;
  }
  const prediction = predictions.text('prediction');
  const place = new Map(label.levels.map((level, code) => [level, code]));
  const same = prediction.levels.map((level) => place.get(level) ?? -1);
  for (let i = 0; i < correct.length; i++) correct[i] = same[prediction.codes[i]] === label.codes[i] ? 1 : 0;
  return correct;
}

function truth(level: string): 0 | 1 | undefined {
  const text = level.trim().toLowerCase();
  if (text === '1' || text === 'true' || text === 't' || text === 'yes') return 1;
  return text === '0' || text === 'false' || text === 'f' || text === 'no' ? 0 : undefined;
}

/** Rows with equal codes in all columns share a cell; cells are numbered by first appearance. */
export function groupBy(columns: readonly TextColumn[], rowCount: number): { cell: Uint32Array; first: Uint32Array } {
  let cell: Uint32Array = new Uint32Array(rowCount);
  let first: number[] = rowCount ? [0] : [];
  for (const { codes, levels } of columns) {
    const next = new Uint32Array(rowCount);
    const width = levels.length;
    const starts: number[] = [];
    const dense = first.length * width <= 4e7 ? new Int32Array(first.length * width).fill(-1) : undefined;
    const sparse = dense ? undefined : new Map<number, number>();
    for (let i = 0; i < rowCount; i++) {
      const key = cell[i] * width + codes[i];
      let id = dense ? dense[key] : (sparse?.get(key) ?? -1);
      if (id < 0) {
        id = starts.push(i) - 1;
        if (dense) dense[key] = id;
        else sparse?.set(key, id);
      }
      next[i] = id;
    }
    cell = next;
    first = starts;
  }
  return { cell, first: Uint32Array.from(first) };
}

function ownGroups(group: TextColumn, sample: TextColumn): TextColumn {
  const empty = group.levels.findIndex((level) => isMissing(level));
  if (empty < 0) return group;
  const codes = group.codes.map((code, i) => (code === empty ? group.levels.length + sample.codes[i] : code));
  return { codes, levels: [...group.levels, ...sample.levels] };
}
