import { expected, UserError } from '../../contracts/errors.ts';

/** A column of words: row `i` holds `levels[codes[i]]`. Levels are in order of first appearance. */
export interface TextColumn {
  readonly codes: Uint32Array;
  readonly levels: string[];
}

/** Named columns of one length; whatever reads a file, a run or a predictions table gives one of these. */
export interface ColumnTable {
  /** Where it came from, for messages. */
  readonly source: string;
  readonly rowCount: number;
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Every value of the column is a number or missing, and at least one is a number. */
  isNumeric(name: string): boolean;
  /** As words; numbers are shown as they were written. */
  text(name: string): TextColumn;
  /** As numbers; NaN where missing. A word that is no number is an error that names its row. */
  numbers(name: string): Float64Array;
}

export type ColumnInput = readonly string[] | Float64Array | TextColumn;

/** A table from columns in memory. */
export function tableFrom(columns: Record<string, ColumnInput>, source = 'the table'): ColumnTable {
  const names = Object.keys(columns);
  const lengths = names.map((name) => columnLength(columns[name]));
  const rowCount = lengths[0] ?? 0;
  for (const [i, length] of lengths.entries())
    if (length !== rowCount) throw expected(`${rowCount} rows`, `column '${names[i]}' of ${source}`, length);
  const column = (name: string): ColumnInput => {
    if (!Object.hasOwn(columns, name)) throw missingColumn(name, names, source);
    return columns[name];
  };
  return {
    source,
    rowCount,
    names,
    has: (name) => Object.hasOwn(columns, name),
    isNumeric: (name) => {
      const found = column(name);
      return found instanceof Float64Array || looksNumeric(encodeText(found).levels);
    },
    text: (name) => {
      const found = column(name);
      return found instanceof Float64Array ? encodeText(Array.from(found, String)) : encodeText(found);
    },
    numbers: (name) => {
      const found = column(name);
      return found instanceof Float64Array ? found : textToNumbers(encodeText(found), name, source);
    },
  };
}

/** Some rows of a table, in the order given; words that no row has any more are forgotten. */
export function pickRows(table: ColumnTable, rows: Uint32Array): ColumnTable {
  return {
    source: table.source,
    rowCount: rows.length,
    names: table.names,
    has: table.has,
    isNumeric: table.isNumeric,
    text: (name) => {
      const { codes, levels } = table.text(name);
      const place = new Map<number, number>();
      const picked = Uint32Array.from(rows, (row) => {
        const code = place.get(codes[row]) ?? place.size;
        place.set(codes[row], code);
        return code;
      });
      return { codes: picked, levels: [...place.keys()].map((code) => levels[code]) };
    },
    numbers: (name) => {
      const values = table.numbers(name);
      return Float64Array.from(rows, (row) => values[row]);
    },
  };
}

const isText = (column: ColumnInput): column is TextColumn =>
  !(column instanceof Float64Array) && !Array.isArray(column);

function columnLength(column: ColumnInput): number {
  return isText(column) ? column.codes.length : (column as readonly string[]).length;
}

function encodeText(column: readonly string[] | TextColumn): TextColumn {
  if (isText(column)) return column;
  const codes = new Uint32Array(column.length);
  const levels: string[] = [];
  const index = new Map<string, number>();
  for (let i = 0; i < column.length; i++) {
    let code = index.get(column[i]);
    if (code === undefined) {
      code = levels.length;
      index.set(column[i], code);
      levels.push(column[i]);
    }
    codes[i] = code;
  }
  return { codes, levels };
}

const missingWords = new Set(['', 'NA', 'NaN', 'nan', 'null', 'NULL']);

/** A cell that says that there is no value. */
export const isMissing = (text: string): boolean => missingWords.has(text);

/** NaN where missing; undefined where the text is no number. */
export function parseNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (isMissing(trimmed)) return Number.NaN;
  // Number() also reads hexadecimal and 'Infinity'; neither is a measurement.
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(trimmed)) return undefined;
  return Number(trimmed);
}

export function looksNumeric(levels: readonly string[]): boolean {
  let found = false;
  for (const level of levels) {
    const value = parseNumber(level);
    if (value === undefined) return false;
    found ||= !Number.isNaN(value);
  }
  return found;
}

function textToNumbers({ codes, levels }: TextColumn, name: string, source: string): Float64Array {
  const parsed = levels.map((level) => parseNumber(level));
  return Float64Array.from(codes, (code, row) => {
    const value = parsed[code];
    if (value === undefined) throw expected('a number', `column '${name}', row ${row + 1} of ${source}`, levels[code]);
    return value;
  });
}

export function missingColumn(name: string, names: readonly string[], source: string): UserError {
  return new UserError(`No column '${name}' in ${source}; it has ${names.map((n) => `'${n}'`).join(', ')}`);
}
