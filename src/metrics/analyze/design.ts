import { expected, UserError } from '../../contracts/errors.ts';
import { type DesignColumn, indicatorColumn } from '../../stats/columns.ts';
import * as dd from '../../stats/double-double.ts';
import { evaluate } from './expression.ts';
import type { Formula, Variable } from './formula.ts';
import { type ColumnTable, missingColumn } from './table.ts';

/** A variable of words; level 0 is the reference. */
export interface Factor {
  readonly name: string;
  readonly levels: string[];
  readonly codes: Uint32Array;
}

export interface DesignTerm {
  readonly label: string;
  /** Indices into the formula's variables. */
  readonly variables: number[];
  /** Indices of its design columns. */
  readonly columns: number[];
}

export interface Design {
  readonly n: number;
  readonly columns: DesignColumn[];
  /** `Intercept`, `variable[level]`, `a[x]:b[y]`. */
  readonly names: string[];
  readonly terms: DesignTerm[];
  readonly intercept: boolean;
  readonly factors: Factor[];
  /** Factors with one level, which cannot have an effect. */
  readonly constant: string[];
}

export interface DesignOptions {
  /** Reference level by factor. */
  readonly references?: ReadonlyMap<string, string>;
  /** Columns of numbers to be taken as words. */
  readonly asFactor?: ReadonlySet<string>;
}

/** Columns the formula reads as words, whatever the table holds. */
export function isFactor(
  { expression, factor }: Variable,
  table: ColumnTable,
  asFactor: ReadonlySet<string> = new Set(),
): boolean {
  if (expression.kind !== 'name') return factor;
  if (!table.has(expression.name)) throw missingColumn(expression.name, table.names, table.source);
  return factor || asFactor.has(expression.name) || !table.isNumeric(expression.name);
}

/** The design matrix with treatment coding, columns in R's order. `rows`: the rows to use. */
export function buildDesign(
  formula: Formula,
  table: ColumnTable,
  rows: Uint32Array,
  options: DesignOptions = {},
): Design {
  const coded = formula.variables.map((variable) => codeVariable(variable, table, rows, options));
  checkReferences(options.references, coded);
  const present = new Set(formula.terms.map((term) => term.join(':')));
  const constant = coded.flatMap((variable) =>
    variable.kind === 'factor' && variable.factor.levels.length < 2 ? [variable.factor.name] : [],
  );
  const columns: DesignColumn[] = [];
  const names: string[] = [];
  const terms: DesignTerm[] = [];
  if (formula.intercept) {
    columns.push({ values: new Float64Array(rows.length).fill(1) });
    names.push('Intercept');
  }
  // Without an intercept R codes the first factor of the first term that has one by all of its levels.
  let fullDue = !formula.intercept;
  for (const term of formula.terms) {
    const firstFactor = fullDue ? term.find((v) => coded[v].kind === 'factor') : undefined;
    if (firstFactor !== undefined) fullDue = false;
    const parts = term.map((v) => {
      const rest = term.filter((other) => other !== v).join(':');
      const contrasts = v !== firstFactor && (rest === '' || present.has(rest));
      return { variable: coded[v], contrasts };
    });
    const made = termColumns(parts, rows.length);
    terms.push({
      label: term.map((v) => formula.variables[v].label).join(':'),
      variables: term,
      columns: made.map((_, i) => columns.length + i),
    });
    for (const { name, column } of made) {
      columns.push(column);
      names.push(name);
    }
  }
  const factors = coded.flatMap((variable) => (variable.kind === 'factor' ? [variable.factor] : []));
  return { n: rows.length, columns, names, terms, intercept: formula.intercept, factors, constant };
}

type Coded =
  | { readonly kind: 'number'; readonly name: string; readonly column: DesignColumn }
  | { readonly kind: 'factor'; readonly name: string; readonly factor: Factor };

function codeVariable(
  variable: Variable,
  table: ColumnTable,
  rows: Uint32Array,
  { references, asFactor }: DesignOptions,
): Coded {
  const name = variable.label;
  if (!isFactor(variable, table, asFactor)) {
    const { values, low } = evaluate(variable.expression, table);
    const pick = (all: Float64Array) => Float64Array.from(rows, (row) => all[row]);
    return { kind: 'number', name, column: { values: pick(values), low: low && pick(low) } };
  }
  if (variable.expression.kind !== 'name') throw expected('a column', 'factor(…)', name);
  const { codes, levels } = table.text(variable.expression.name);
  const used = new Uint8Array(levels.length);
  for (const row of rows) used[codes[row]] = 1;
  const present = orderLevels(levels.filter((_, code) => used[code]));
  const original = present.find((level) => level.toLowerCase() === 'original');
  const reference = references?.get(name) ?? original ?? present[0];
  if (!present.includes(reference)) {
    const shown = present.length > 12 ? [...present.slice(0, 12), '…'] : present;
    throw new UserError(
      `No '${reference}' among the values of '${name}', so it cannot be the reference; there is ${shown.join(', ')}`,
    );
  }
  const ordered = [reference, ...present.filter((level) => level !== reference)];
  const place = new Map(ordered.map((level, i) => [level, i]));
  const recode = levels.map((level) => place.get(level) ?? 0);
  return {
    kind: 'factor',
    name,
    factor: { name, levels: ordered, codes: Uint32Array.from(rows, (row) => recode[codes[row]]) },
  };
}

/** By number where all are numbers, else by code point. */
export function orderLevels(levels: readonly string[]): string[] {
  const numbers = levels.map((level) => (level.trim() === '' ? Number.NaN : Number(level)));
  if (numbers.every(Number.isFinite)) return [...levels].sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1));
  return [...levels].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function checkReferences(references: ReadonlyMap<string, string> | undefined, coded: Coded[]): void {
  for (const name of references?.keys() ?? []) {
    const variable = coded.find((one) => one.name === name);
    if (variable?.kind === 'factor') continue;
    const factors = coded.flatMap((one) => (one.kind === 'factor' ? [one.name] : []));
    const why = variable
      ? `'${name}' is a number; --factor ${name} makes it a factor`
      : `there is ${factors.join(', ') || 'none'}`;
    throw expected('a factor of the formula', '--reference', name, why);
  }
}

/** Products of the parts' columns, the first part's levels changing fastest. */
function termColumns(
  parts: { variable: Coded; contrasts: boolean }[],
  n: number,
): { name: string; column: DesignColumn }[] {
  let made: { name: string; column: DesignColumn | undefined }[] = [{ name: '', column: undefined }];
  for (const { variable, contrasts } of parts) {
    const own =
      variable.kind === 'number'
        ? [{ name: variable.name, column: variable.column }]
        : indicators(variable.factor, contrasts, n);
    made = own.flatMap((next) =>
      made.map((before) => ({
        name: before.name ? `${before.name}:${next.name}` : next.name,
        column: before.column ? product(before.column, next.column, n) : next.column,
      })),
    );
  }
  return made.map(({ name, column }) => ({ name, column: column as DesignColumn }));
}

function indicators({ name, levels, codes }: Factor, contrasts: boolean, n: number) {
  const from = contrasts ? 1 : 0;
  const rows: number[][] = levels.map(() => []);
  for (let i = 0; i < n; i++) rows[codes[i]].push(i);
  return levels.slice(from).map((level, l) => ({
    name: `${name}[${level}]`,
    column: indicatorColumn(n, Uint32Array.from(rows[l + from])),
  }));
}

function product(a: DesignColumn, b: DesignColumn, n: number): DesignColumn {
  if (a.ones && b.ones) {
    const other = new Set(b.ones);
    return indicatorColumn(
      n,
      a.ones.filter((i) => other.has(i)),
    );
  }
  const values = new Float64Array(a.values.length);
  const low = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++)
    [values[i], low[i]] = dd.multiply([a.values[i], a.low?.[i] ?? 0], [b.values[i], b.low?.[i] ?? 0]);
  return { values, low };
}

/** Combinations of the factors' levels that no row has: how many, and the first few by name. */
export function emptyCells(factors: readonly Factor[], n: number, show = 20): { count: number; cells: string[] } {
  const several = factors.filter((factor) => factor.levels.length > 1);
  const total = several.reduce((count, factor) => count * factor.levels.length, 1);
  // A table of more cells than this is a list of names, not a design.
  if (several.length < 2 || total > 5e6) return { count: 0, cells: [] };
  const seen = new Uint8Array(total);
  for (let i = 0; i < n; i++) {
    let cell = 0;
    for (const { codes, levels } of several) cell = cell * levels.length + codes[i];
    seen[cell] = 1;
  }
  const cells: string[] = [];
  let count = 0;
  for (let cell = 0; cell < total; cell++) {
    if (seen[cell]) continue;
    if (++count > show) continue;
    let rest = cell;
    const parts = [...several].reverse().map(({ name, levels }) => {
      const level = levels[rest % levels.length];
      rest = Math.floor(rest / levels.length);
      return `${name}[${level}]`;
    });
    cells.push(parts.reverse().join(':'));
  }
  return { count, cells };
}
