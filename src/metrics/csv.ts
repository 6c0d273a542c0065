import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { expected, UserError } from '../contracts/errors.ts';
import { missingColumn, type Table, type TextColumn } from './analyze/table.ts';
import { carriageReturn, decodeField, decodeNumbers, decodeText, lineFeed, quote } from './csv-columns.ts';

/** Reads a CSV file (RFC 4180; a header line is required; comma, semicolon or tab, told by the header). */
export async function readCsv(path: string): Promise<Table> {
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
export function parseCsv(input: Uint8Array | string, source = 'the table'): Table {
  const bytes =
    typeof input === 'string' ? Buffer.from(input) : Buffer.from(input.buffer, input.byteOffset, input.length);
  const start = skipMark(bytes, source);
  const delimiter = findDelimiter(bytes, start);
  const { starts, width } = findFields(bytes, start, delimiter, source);
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

function skipMark(bytes: Buffer, source: string): number {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw expected('UTF-8 text', source, 'UTF-16', 'save it again as CSV UTF-8');
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function findDelimiter(bytes: Buffer, start: number): number {
  const counts = new Map([',', ';', '\t'].map((mark) => [mark.charCodeAt(0), 0]));
  let quoted = false;
  for (let i = start; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === quote) quoted = !quoted;
    else if (!quoted && byte === lineFeed) break;
    else if (!quoted && counts.has(byte)) counts.set(byte, (counts.get(byte) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0][0];
}

/** Byte offset of every field, row by row, the header's first. */
function findFields(bytes: Buffer, start: number, delimiter: number, source: string) {
  let starts = new Uint32Array(Math.max(64, Math.ceil(bytes.length / 6)));
  let count = 0;
  let width = 0;
  let rowStart = 0;
  let line = 1;
  let position = start;
  const length = bytes.length;
  while (position < length) {
    const first = bytes[position];
    // A blank line is no row.
    if (count === rowStart && (first === lineFeed || (first === carriageReturn && bytes[position + 1] === lineFeed))) {
      position += first === lineFeed ? 1 : 2;
      line++;
      continue;
    }
    if (count === starts.length) starts = grow(starts);
    starts[count++] = position;
    if (first === quote) {
      const opened = line;
      for (position++; ; position++) {
        if (position >= length) throw new UserError(`A quote opened in line ${opened} of ${source} is never closed`);
        if (bytes[position] === lineFeed) line++;
        if (bytes[position] !== quote) continue;
        if (bytes[position + 1] === quote) position++;
        else break;
      }
      position++;
      if (bytes[position] === carriageReturn) position++;
      if (position < length && bytes[position] !== delimiter && bytes[position] !== lineFeed)
        throw new UserError(
          `Text after a closing quote in line ${line} of ${source}; write a quote inside quotes twice`,
        );
    } else {
      while (position < length && bytes[position] !== delimiter && bytes[position] !== lineFeed) position++;
    }
    if (position < length && bytes[position] === delimiter) {
      // A delimiter that ends the file opens one more, empty, field.
      if (++position === length) {
        if (count === starts.length) starts = grow(starts);
        starts[count++] = position;
      } else continue;
    }
    if (width === 0) width = count;
    else if (count - rowStart !== width)
      throw expected(`${width} fields`, `line ${line} of ${source}`, count - rowStart);
    rowStart = count;
    position++;
    line++;
  }
  if (width === 0) throw expected('a header line', source, 'an empty file');
  return { starts: starts.subarray(0, count), width };
}

function grow(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}

function columnNames(header: string[], source: string): string[] {
  const names = header.map((name, i) => name || `column${i + 1}`);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw expected('different names', `the header of ${source}`, twice, 'it stands there twice');
  return names;
}
