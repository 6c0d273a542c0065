export type CsvCell = string | number | boolean | null | undefined;

/** A table for programs (manifests, folds): read back, every cell is what was written. */
export const machineCsv = (header: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  write(header, rows, plain);

/** A table that people open in a spreadsheet: a word that it would run as a formula is made a plain word. */
export const spreadsheetCsv = (header: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  write(header, rows, (cell) => (typeof cell === 'string' ? defuse(cell) : plain(cell)));

const write = (header: readonly string[], rows: readonly (readonly CsvCell[])[], textOf: (cell: CsvCell) => string) =>
  [header, ...rows].map((cells) => `${line(cells.map(textOf))}\n`).join('');

/** A row of one empty cell would be a blank line, which is no row. */
const line = (cells: readonly string[]) => cells.map(quote).join(',') || '""';

const plain = (cell: CsvCell) => (cell === null || cell === undefined ? '' : String(cell));

/** RFC 4180; spaces at the ends are kept by quotes alone, and a first semicolon or tab must not pass for the separator. */
const quote = (text: string) => (/[",;\t\r\n]|^\s|\s$|^\uFEFF/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** What Excel, LibreOffice and Google Sheets take for the start of a formula (OWASP, CSV injection); a number is none. */
const defuse = (text: string) =>
  /^[=+@\t\r\uFF1D\uFF0B\uFF0D\uFF20-]/.test(text) && !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)
    ? `'${text}`
    : text;
