import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { expected, UserError } from '../contracts/errors.ts';
import { type CsvFields, decodeField, scanCsv } from '../formats/csv-scan.ts';
import { type ColumnTable, missingColumn, type TextColumn } from './analyze/table.ts';
import { decodeNumbers, decodeText } from './csv-columns.ts';

/** Reads a CSV file; a header line is required. */
export async function readCsv(path: string): Promise<ColumnTable> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : String(error);
    throw new UserError(`Cannot read ${path}: ${reason}`);
  }
  return parseCsv(bytes, basename(path));
}

/**
 * A table over the bytes of a CSV file. One pass finds where the fields lie; a column is decoded when it is first asked
 * for, words through a hash of their bytes so that a repeated word is made into a string once.
 */
export function parseCsv(input: Uint8Array | string, source = 'the table'): ColumnTable {
  const fields = scanCsv(input, source);
  const { bytes, delimiter, starts } = fields;
  const width = checkShape(fields, source);
  const rowCount = starts.length / width - 1;
  const field = (row: number, column: number) => decodeField(bytes, starts[(row + 1) * width + column], delimiter);
  const names = columnNames(
    Array.from({ length: width }, (_, column) => field(-1, column).trim()),
    source,
  );
  const index = new Map(names.map((name, column) => [name, column]));
  const texts = new Map<string, TextColumn>();
  const numbers = new Map<string, Float64Array>();
  const columnOf = (name: string): number => {
    const column = index.get(name);
    if (column === undefined) throw missingColumn(name, names, source);
    return column;
  };
  const tryNumbers = (name: string): Float64Array | number => {
    const known = numbers.get(name);
    if (known) return known;
    const parsed = decodeNumbers(bytes, starts, width, columnOf(name), delimiter);
    if (typeof parsed !== 'number') numbers.set(name, parsed);
    return parsed;
  };
  return {
    source,
    rowCount,
    names,
    has: (name) => index.has(name),
    isNumeric: (name) => {
      const parsed = tryNumbers(name);
      return typeof parsed !== 'number' && parsed.some((value) => !Number.isNaN(value));
    },
    text: (name) => {
      let found = texts.get(name);
      if (!found) {
        found = decodeText(bytes, starts, width, columnOf(name), delimiter);
        texts.set(name, found);
      }
      return found;
    },
    numbers: (name) => {
      const parsed = tryNumbers(name);
      if (typeof parsed === 'number')
        throw expected('a number', `column '${name}', row ${parsed + 1} of ${source}`, field(parsed, columnOf(name)));
      return parsed;
    },
  };
}

/** Every row as wide as the header, quotes closed: a table that is silently shifted would give wrong numbers. */
function checkShape({ rows, lines, damages }: CsvFields, source: string): number {
  if (!lines.length) throw expected('a header line', source, 'an empty file');
  if (damages.length) throw new UserError(damages[0].message);
  const width = rows[1];
  for (let row = 1; row < lines.length; row++)
    if (rows[row + 1] - rows[row] !== width)
      throw expected(`${width} fields`, `line ${lines[row]} of ${source}`, rows[row + 1] - rows[row]);
  return width;
}

function columnNames(header: string[], source: string): string[] {
  const names = header.map((name, i) => name || `column${i + 1}`);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw expected('different names', `the header of ${source}`, twice, 'it stands there twice');
  return names;
}
