import { expected } from '../../contracts/errors.ts';
import { type CollapsedAnswers, collapse, groupBy } from './collapse.ts';
import { type Formula, namesIn } from './formula.ts';
import { type ColumnTable, isMissing, missingColumn, tableFrom } from './table.ts';

/** Outcomes of 0 or 1 that were gathered into rows. */
export interface GatheredAnswers {
  readonly cell: Uint32Array;
  readonly correct: Uint8Array;
  /** Clusters offered by name: sample, group, or any column. */
  cluster(name: string): { codes: Uint32Array; count: number };
  readonly cells: CollapsedAnswers | undefined;
}

/** Predictions as cells. */
export function gatherPredictions(
  given: ColumnTable,
  names: readonly string[],
): { table: ColumnTable; answers: GatheredAnswers } {
  const cells = collapse(given, names);
  const cluster = (name: string) => {
    const column = name === 'group' ? cells.group : name === 'sample' || name === 'image' ? cells.sample : undefined;
    if (name === 'group' && !column)
      throw expected('a column of groups', '--cluster', name, `${given.source} names no groups; use sample`);
    const { codes, levels } = column ?? given.text(name);
    return compact(codes, levels.length);
  };
  return { table: cells.table, answers: { cell: cells.cell, correct: cells.correct, cluster, cells } };
}

/** The outcome is a column of nothing but 0 and 1, true and false. */
export function isBinary(formula: Formula, table: ColumnTable, { weights }: { weights?: string }): boolean {
  if (weights || formula.response.length > 1) return false;
  const [expression] = formula.response;
  if (expression.kind !== 'name') return false;
  if (!table.has(expression.name)) throw missingColumn(expression.name, table.names, table.source);
  return table.text(expression.name).levels.every((level) => binaryValue(level) !== undefined || isMissing(level));
}

function binaryValue(level: string): 0 | 1 | undefined {
  const text = level.trim().toLowerCase();
  if (text === 'true' || Number(text) === 1) return 1;
  return text === 'false' || (text !== '' && Number(text) === 0) ? 0 : undefined;
}

/** Rows of 0 and 1 with equal variables become one row with a share and a count. */
export function gatherBinary(
  given: ColumnTable,
  formula: Formula,
  notes: string[],
): { table: ColumnTable; answers: GatheredAnswers } {
  const outcome = formula.responseText;
  const names = [
    ...new Set([...formula.variables.map(({ expression }) => expression), ...formula.offsets].flatMap(namesIn)),
  ];
  for (const name of names) if (!given.has(name)) throw missingColumn(name, given.names, given.source);
  const words = given.text(outcome);
  const value = words.levels.map(binaryValue);
  const valid: number[] = [];
  for (let i = 0; i < given.rowCount; i++) if (value[words.codes[i]] !== undefined) valid.push(i);
  if (valid.length < given.rowCount)
    notes.push(`${given.rowCount - valid.length} rows without an outcome were left out.`);
  const columns = names.map((name) => {
    const { codes, levels } = given.text(name);
    return { codes: Uint32Array.from(valid, (i) => codes[i]), levels };
  });
  const { cell, first } = groupBy(columns, valid.length);
  const correct = Uint8Array.from(valid, (i) => value[words.codes[i]] as number);
  const n = new Float64Array(first.length);
  const right = new Float64Array(first.length);
  for (let i = 0; i < cell.length; i++) {
    n[cell[i]]++;
    right[cell[i]] += correct[i];
  }
  const table = tableFrom(
    {
      ...Object.fromEntries(
        names.map((name, c) => [
          name,
          { codes: Uint32Array.from(first, (i) => columns[c].codes[i]), levels: columns[c].levels },
        ]),
      ),
      [outcome]: right.map((sum, c) => sum / n[c]),
      n,
    },
    given.source,
  );
  const cluster = (name: string) => {
    const { codes, levels } = given.text(name);
    return compact(
      Uint32Array.from(valid, (i) => codes[i]),
      levels.length,
    );
  };
  return { table, answers: { cell, correct, cluster, cells: undefined } };
}

/** Codes renumbered without gaps. */
export function compact(codes: Uint32Array, size: number): { codes: Uint32Array; count: number } {
  const place = new Int32Array(size).fill(-1);
  let count = 0;
  const renumbered = codes.map((code) => {
    if (place[code] < 0) place[code] = count++;
    return place[code];
  });
  return { codes: renumbered, count };
}
