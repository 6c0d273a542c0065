import { expected, UserError } from '../../contracts/errors.ts';
import type { DesignColumn } from '../../stats/columns.ts';
import { toPredictions } from '../table/predictions.ts';
import { groupBy, isPredictions } from './collapse.ts';
import { buildDesign, type Design, isFactor } from './design.ts';
import { evaluate } from './expression.ts';
import { type Formula, namesIn, parseFormula } from './formula.ts';
import { type GatheredAnswers, gatherBinary, gatherPredictions, isBinary } from './gather.ts';
import type { AnalyzeOptions } from './options.ts';
import { type ColumnTable, missingColumn } from './table.ts';

export type SourceKind = 'predictions' | 'accuracy' | 'table';

/** All that a fit needs, rows without a value left out. */
export interface PreparedRegression {
  readonly kind: SourceKind;
  readonly formula: Formula;
  /** One row per fitted row; `rows` are those used. */
  readonly table: ColumnTable;
  readonly rows: Uint32Array;
  readonly design: Design;
  /** Over `rows`; proportions for binomial. */
  readonly response: DesignColumn;
  /** Over `rows`; trials for binomial. */
  readonly weights: Float64Array | undefined;
  readonly offset: Float64Array | undefined;
  /** The single answers behind the rows. */
  readonly answers: GatheredAnswers | undefined;
  readonly notes: string[];
}

const factorColumns = ['model', 'scenario', 'class', 'trained', 'label', 'sample', 'group', 'fold'];

/** Tells predictions, accuracy tables and other tables apart by their columns. */
export function sourceKind(table: ColumnTable): SourceKind {
  if (isPredictions(table)) return 'predictions';
  return ['model', 'scenario', 'accuracy'].every((name) => table.has(name)) ? 'accuracy' : 'table';
}

export function prepare(given: ColumnTable, options: AnalyzeOptions): PreparedRegression {
  const kind = sourceKind(given);
  checkRepeated(given, kind);
  const family = options.family ?? 'gaussian';
  const notes: string[] = [];
  const formula = readFormula(given, kind, options, notes);
  const references = usedReferences(options.references, formula, given, kind, notes);
  // Whoever names a reference level takes the column for words.
  const asFactor = new Set([
    ...(options.asFactor ?? []),
    ...references.keys(),
    ...(kind === 'table' ? [] : factorColumns),
  ]);
  const names = formula.variables.flatMap((variable) => namesIn(variable.expression));
  let [table, answers] = [given, undefined as GatheredAnswers | undefined];
  if (kind === 'predictions') ({ table, answers } = gatherPredictions(given, names));
  else if (family === 'binomial' && isBinary(formula, given, options))
    ({ table, answers } = gatherBinary(given, formula, notes));
  for (const name of options.asFactor ?? [])
    if (!given.has(name) && !table.has(name)) throw missingColumn(name, table.names, table.source);
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
  const design = buildDesign(formula, table, rows, { references, asFactor });
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

const accuracyColumns = ['model', 'trained', 'scenario', 'class', 'accuracy', 'n'];

/** Rows that say the same thing twice, perhaps differently, are refused as `score` refuses them. */
function checkRepeated(table: ColumnTable, kind: SourceKind): void {
  if (kind === 'predictions') toPredictions(table);
  // With further columns (a repetition, a day) rows may well be about the same cell.
  if (kind !== 'accuracy' || !table.names.every((name) => accuracyColumns.includes(name))) return;
  const names = table.names.filter((name) => name !== 'accuracy' && name !== 'n');
  const { cell, first } = groupBy(names.map(table.text), table.rowCount);
  const again = cell.findIndex((c, row) => first[c] !== row);
  if (again < 0) return;
  const at = names.map((name) => `${name} ${table.text(name).levels[table.text(name).codes[again]]}`);
  throw new UserError(
    `Rows ${first[cell[again]] + 1} and ${again + 1} of ${table.source} are about the same: ${at.join(', ')}; keep one of them`,
  );
}

/** References of columns that this formula does not use are no mistake; those of no column at all are. */
function usedReferences(
  given: ReadonlyMap<string, string> | undefined,
  { variables }: Formula,
  table: ColumnTable,
  kind: SourceKind,
  notes: string[],
): Map<string, string> {
  const labels = new Set(variables.map(({ label }) => label));
  const used = new Map<string, string>();
  for (const [name, level] of given ?? []) {
    const known = table.has(name) || (kind === 'predictions' && name === 'class');
    if (known && !labels.has(name))
      notes.push(`The reference ${name}=${level} was not needed: the formula has no '${name}'.`);
    else used.set(name, level);
  }
  return used;
}

function readFormula(
  table: ColumnTable,
  kind: SourceKind,
  { formula, family }: AnalyzeOptions,
  notes: string[],
): Formula {
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

interface ResponseContext {
  readonly gathered: boolean;
  readonly kind: SourceKind;
  readonly family: string;
}

function responseColumn(
  formula: Formula,
  table: ColumnTable,
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

function usableRows(
  formula: Formula,
  table: ColumnTable,
  { asFactor, response, weights, offsets }: RowContext,
): Uint32Array {
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
