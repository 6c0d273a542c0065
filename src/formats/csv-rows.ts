import { type CsvFields, decodeField, isQuoted, scanCsv } from './csv-scan.ts';

export interface CsvRow {
  /** Line of the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Why its cells cannot be trusted. */
  readonly damaged?: string;
}

/** A CSV as rows of text, the header first, each as long as it is; what is wrong with a row stands at that row. */
export function readCsvRows(
  input: Uint8Array | string,
  { source = 'the table', delimiter }: { source?: string; delimiter?: string } = {},
): CsvRow[] {
  const fields = scanCsv(input, source, delimiter);
  const damaged = new Map(fields.damages.map(({ row, message }) => [row, message]));
  return Array.from(fields.lines, (line, row) => {
    const cells: string[] = [];
    for (let i = fields.rows[row]; i < fields.rows[row + 1]; i++) cells.push(cellAt(fields, fields.starts[i]));
    const damage = damaged.get(row);
    return { line, cells, ...(damage !== undefined && { damaged: damage }) };
  });
}

/** Spaces around a cell are dropped unless the cell is quoted. */
function cellAt({ bytes, delimiter }: CsvFields, start: number): string {
  const text = decodeField(bytes, start, delimiter);
  return isQuoted(bytes, start) ? text : text.trim();
}

/** A table that this program wrote itself: every row an object by the header's names. */
export function readCsvObjects(input: Uint8Array | string, source?: string): Record<string, string>[] {
  const [header, ...rows] = readCsvRows(input, { source, delimiter: ',' });
  return rows.map(({ cells }) => Object.fromEntries(header.cells.map((name, i) => [name, cells[i] ?? ''])));
}
