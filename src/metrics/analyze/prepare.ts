import { expected, UserError } from '../../contracts/errors.ts';
import type { DesignColumn } from '../../stats/columns.ts';
import { type Cells, collapse, groupBy, isPredictions } from './collapse.ts';
import { buildDesign, type Design, isFactor } from './design.ts';
import { evaluate } from './expression.ts';
import { type Formula, namesIn, parseFormula } from './formula.ts';
import type { AnalyzeOptions } from './options.ts';
import { isMissing, missingColumn, type Table, tableFrom } from './table.ts';

export type SourceKind = 'predictions' | 'accuracy' | 'table';

/** All that a fit needs, rows without a value left out. */
export interface Prepared {
  readonly kind: SourceKind;
  readonly formula: Formula;
  /** One row per fitted row; `rows` are those used. */
  readonly table: Table;
  readonly rows: Uint32Array;
  readonly design: Design;
  /** Over `rows`; proportions for binomial. */
  readonly response: DesignColumn;
  /** Over `rows`; trials for binomial. */
  readonly weights: Float64Array | undefined;
  readonly offset: Float64Array | undefined;
  /** The single answers behind the rows. */
  readonly answers: Answers | undefined;
  readonly notes: string[];
}

/** Outcomes of 0 or 1 that were gathered into rows. */
export interface Answers {
  readonly cell: Uint32Array;
  readonly correct: Uint8Array;
  /** Clusters offered by name: sample, group, or any column. */
  cluster(name: string): { codes: Uint32Array; count: number };
  readonly cells: Cells | undefined;
}

const factorColumns = ['model', 'scenario', 'class', 'trained', 'label', 'sample', 'group', 'fold'];

/** Tells predictions, accuracy tables and other tables apart by their columns. */
export function sourceKind(table: Table): SourceKind {
  if (isPredictions(table)) return 'predictions';
  return ['model', 'scenario', 'accuracy'].every((name) => table.has(name)) ? 'accuracy' : 'table';
}

export function prepare(given: Table, options: AnalyzeOptions): Prepared {
  const kind = sourceKind(given);
  const family = options.family ?? 'gaussian';
  const notes: string[] = [];
  const formula = readFormula(given, kind, options, notes);
  const asFactor = new Set([...(options.asFactor ?? []), ...(kind === 'table' ? [] : factorColumns)]);
  const names = formula.variables.flatMap((variable) => namesIn(variable.expression));
  let [table, answers] = [given, undefined as Answers | undefined];
  if (kind === 'predictions') ({ table, answers } = gatherPredictions(given, names));
  else if (family === 'binomial' && isBinary(formula, given, options))
    ({ table, answers } = gatherBinary(given, formula, notes));
  const gathered = answers !== undefined && family === 'binomial';
  const response = responseColumn(formula, table, { gathered, kind, family });
  const weightName =
    options.weights ?? (family === 'binomial' && !gathered && kind === 'accuracy' && table.has('n') ? 'n' : undefined);
  if (weightName && !options.weights) notes.push(`Rows count as many trials as column 'n' says.`);
  const weights = gathered
    ? table.numbers('n')
    : (response.trials ?? (weightName ? table.numbers(weightName) : undefined));
  const offsets = formula.offsets.map((offset) => evaluate(offset, table).values);
  const rows = usableRows(formula, table, { asFactor, response: response.column.values, weights, offsets });
  const dropped = table.rowCount - rows.length;
  if (dropped > 0)
    notes.push(`${dropped} of ${table.rowCount} rows were left out: a value is missing, or the weight is zero.`);
  if (rows.length === 0)
    throw new UserError(`No row of ${table.source} has a value in every column of '${formula.text}'`);
  const pick = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]);
  const design = buildDesign(formula, table, rows, { references: options.references, asFactor });
  for (const name of design.constant) notes.push(`'${name}' has one value only and cannot be tested; it was left out.`);
  return {
    kind,
    formula,
    table,
    rows,
    design,
    response: { values: pick(response.column.values), low: response.column.low && pick(response.column.low) },
    weights: weights && pick(weights),
    offset: offsets.length
      ? pick(offsets.reduce((sum, values) => sum.map((value, i) => value + values[i])))
      : undefined,
    answers,
    notes,
  };
}

function readFormula(table: Table, kind: SourceKind, { formula, family }: AnalyzeOptions, notes: string[]): Formula {
  if (formula === undefined && kind === 'table')
    throw expected('a formula', '--formula', undefined, `${table.source} has the columns ${table.names.join(', ')}`);
  const available = kind === 'predictions' ? [...table.names, 'class', 'accuracy', 'n', 'errors'] : table.names;
  const outcome = kind === 'predictions' && family === 'binomial' ? 'correct' : 'accuracy';
  const varies = (name: string) => table.has(name) && table.text(name).levels.length > 1;
  const classColumn = kind === 'predictions' && !table.has('class') ? 'label' : 'class';
  const factors = [
    varies('model') ? 'model' : '',
    varies('trained') ? 'trained' : '',
    varies('scenario') ? 'scenario' : '',
    varies(classColumn) ? 'class' : '',
  ].filter(Boolean);
  const text = formula ?? `${outcome} ~ ${factors.join(' + ') || '1'}`;
  const parsed = parseFormula(text, available);
  if (kind !== 'predictions') return parsed;
  if (family === 'binomial' && parsed.responseText === 'accuracy') {
    notes.push("The outcome is 'correct', one per image, because the family is binomial.");
    return parseFormula(text.replace(/^\s*accuracy/, 'correct'), available);
  }
  if (family !== 'binomial' && parsed.responseText === 'correct')
    throw expected(
      "'accuracy'",
      'the outcome of the formula',
      'correct',
      'or choose --family binomial, which fits single answers',
    );
  return parsed;
}

function gatherPredictions(given: Table, names: readonly string[]): { table: Table; answers: Answers } {
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

function isBinary(formula: Formula, table: Table, { weights }: AnalyzeOptions): boolean {
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
function gatherBinary(given: Table, formula: Formula, notes: string[]): { table: Table; answers: Answers } {
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

interface ResponseContext {
  readonly gathered: boolean;
  readonly kind: SourceKind;
  readonly family: string;
}

function responseColumn(
  formula: Formula,
  table: Table,
  { gathered, kind, family }: ResponseContext,
): { column: DesignColumn; trials?: Float64Array } {
  const [first, second] = formula.response;
  if (second) {
    if (family !== 'binomial')
      throw expected(
        'one outcome',
        'the left side of the formula',
        formula.responseText,
        'cbind is for --family binomial',
      );
    const successes = evaluate(first, table).values;
    const trials = evaluate(second, table).values.map((failures, i) => failures + successes[i]);
    return {
      column: { values: successes.map((value, i) => (trials[i] > 0 ? value / trials[i] : Number.NaN)) },
      trials,
    };
  }
  if (gathered && kind === 'predictions') {
    if (formula.responseText !== 'correct')
      throw expected("'correct'", 'the outcome of the formula', formula.responseText);
    return { column: { values: table.numbers('accuracy') } };
  }
  return { column: evaluate(first, table) };
}

interface RowContext {
  readonly asFactor: ReadonlySet<string>;
  readonly response: Float64Array;
  readonly weights: Float64Array | undefined;
  readonly offsets: readonly Float64Array[];
}

function usableRows(formula: Formula, table: Table, { asFactor, response, weights, offsets }: RowContext): Uint32Array {
  const usable = new Uint8Array(table.rowCount).fill(1);
  const needs = (values: ArrayLike<number>) => {
    for (let i = 0; i < usable.length; i++) if (!Number.isFinite(values[i])) usable[i] = 0;
  };
  needs(response);
  for (const offset of offsets) needs(offset);
  if (weights) {
    const negative = weights.findIndex((weight) => weight < 0);
    if (negative >= 0)
      throw expected('weights of zero or more', `row ${negative + 1} of ${table.source}`, weights[negative]);
    needs(weights);
    for (let i = 0; i < usable.length; i++) if (weights[i] === 0) usable[i] = 0;
  }
  for (const variable of formula.variables) {
    if (!isFactor(variable, table, asFactor)) {
      needs(evaluate(variable.expression, table).values);
      continue;
    }
    const { codes, levels } = table.text(namesIn(variable.expression)[0]);
    // As in R, NA is missing and an empty word is a word: `trained` is empty for a model as delivered.
    const missing = levels.map((level) => level === 'NA');
    if (missing.includes(true)) for (let i = 0; i < usable.length; i++) if (missing[codes[i]]) usable[i] = 0;
  }
  const rows: number[] = [];
  for (let i = 0; i < usable.length; i++) if (usable[i]) rows.push(i);
  return Uint32Array.from(rows);
}
