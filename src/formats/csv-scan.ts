import { expected, UserError } from '../contracts/errors.ts';

/** Where the fields of a delimited text lie (RFC 4180; any line ending; comma, semicolon or tab, told by the header). */
export interface CsvFields {
  readonly bytes: Buffer;
  readonly delimiter: number;
  /** Byte offset of every field, row by row, the header's first. */
  readonly starts: Uint32Array;
  /** Row `i` has the fields `rows[i]` to `rows[i + 1]`, the end left out. */
  readonly rows: Uint32Array;
  /** Line of the file on which each row begins, from 1. */
  readonly lines: Uint32Array;
  readonly damages: readonly CsvDamage[];
}

/** A row whose quotes do not tell where its cells end. */
export interface CsvDamage {
  readonly row: number;
  readonly line: number;
  readonly message: string;
}

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const isLineEnd = (byte: number) => byte === lineFeed || byte === carriageReturn;

/** One pass over the bytes; nothing is decoded. Throws where it is no UTF-8 text. */
export function scanCsv(input: Uint8Array | string, source: string, separator?: string): CsvFields {
  const bytes =
    typeof input === 'string' ? Buffer.from(input) : Buffer.from(input.buffer, input.byteOffset, input.length);
  const start = skipMark(bytes, source);
  const delimiter = separator?.charCodeAt(0) ?? findDelimiter(bytes, start);
  const length = bytes.length;
  const starts = growing(Math.ceil(length / 6));
  const rows = growing(Math.ceil(length / 40));
  const lines = growing(Math.ceil(length / 40));
  const damages: CsvDamage[] = [];
  let line = 1;
  let position = start;
  /** Past a line end, and past both bytes of Windows'. */
  const skipLineEnd = () => {
    if (bytes[position] === carriageReturn && bytes[position + 1] === lineFeed) position++;
    position++;
    line++;
  };
  while (position < length) {
    // A blank line is no row.
    if (isLineEnd(bytes[position])) {
      skipLineEnd();
      continue;
    }
    const row = rows.length;
    rows.push(starts.length);
    lines.push(line);
    for (;;) {
      starts.push(position);
      if (bytes[position] === quote) {
        const opened = line;
        const end = closingQuote(bytes, position);
        for (let i = position; i < end; i++) if (bytes[i] === lineFeed) line++;
        position = end + 1;
        if (end === length)
          damages.push({ row, line: opened, message: `A quote opened in line ${opened} of ${source} is never closed` });
        else if (position < length && bytes[position] !== delimiter && !isLineEnd(bytes[position]))
          damages.push({
            row,
            line,
            message: `Text after a closing quote in line ${line} of ${source}; write a quote inside quotes twice`,
          });
      }
      while (position < length && bytes[position] !== delimiter && !isLineEnd(bytes[position])) position++;
      if (position >= length || bytes[position] !== delimiter) break;
      position++;
      // A delimiter that ends the file opens one more, empty, field.
      if (position < length) continue;
      starts.push(position);
      break;
    }
    if (position < length) skipLineEnd();
  }
  rows.push(starts.length);
  return { bytes, delimiter, starts: starts.values(), rows: rows.values(), lines: lines.values(), damages };
}

/** Offset of the quote that ends a field, the text's length where none does. */
function closingQuote(bytes: Buffer, start: number): number {
  for (let at = start + 1; ; at += 2) {
    at = bytes.indexOf(quote, at);
    if (at === -1) return bytes.length;
    if (bytes[at + 1] !== quote) return at;
  }
}

/** First byte after an unquoted field's content. */
export function fieldEnd(bytes: Buffer, start: number, delimiter: number): number {
  let end = start;
  while (end < bytes.length && bytes[end] !== delimiter && !isLineEnd(bytes[end])) end++;
  return end;
}

export const isQuoted = (bytes: Buffer, start: number): boolean => bytes[start] === quote;

export function decodeField(bytes: Buffer, start: number, delimiter: number): string {
  if (!isQuoted(bytes, start)) return bytes.toString('utf8', start, fieldEnd(bytes, start, delimiter));
  return bytes.toString('utf8', start + 1, closingQuote(bytes, start)).replaceAll('""', '"');
}

const isControl = (byte: number) => byte < 0x20 && byte !== 0x09 && !isLineEnd(byte);

function skipMark(bytes: Buffer, source: string): number {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw expected('UTF-8 text', source, 'UTF-16', 'save it again as CSV UTF-8');
  // A picture, a network or an archive: its first lines would be taken for rows. Names further on may hold anything.
  if (bytes.subarray(0, 16).some(isControl)) throw new UserError(`${source} is not a table: its bytes are not text`);
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** Spreadsheets of some countries write semicolons, others tabs: the mark that the header has most. */
function findDelimiter(bytes: Buffer, start: number): number {
  const counts = new Map([',', ';', '\t'].map((mark) => [mark.charCodeAt(0), 0]));
  let quoted = false;
  for (let i = start; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === quote) quoted = !quoted;
    else if (!quoted && isLineEnd(byte)) break;
    else if (!quoted && counts.has(byte)) counts.set(byte, (counts.get(byte) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0][0];
}

/** Numbers of a list whose length is not known beforehand, without an object each. */
function growing(expectedLength: number) {
  let values = new Uint32Array(Math.max(64, expectedLength));
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value: number) {
      if (length === values.length) {
        const larger = new Uint32Array(values.length * 2);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    values: () => values.subarray(0, length),
  };
}
