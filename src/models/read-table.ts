import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import { readCsvRows } from '../formats/csv-rows.ts';

interface TextTable {
  readonly columns: string[];
  readonly rows: Record<string, string>[];
}

/** The rows of a CSV (any usual separator) or Parquet file, every cell as text. */
export async function readTable(path: string): Promise<TextTable> {
  if (!existsSync(path)) throw new UserError(`There is no file ${path}`);
  return /\.parquet$/i.test(path) ? readParquet(path) : readCsv(path);
}

async function readCsv(path: string): Promise<TextTable> {
  const [header, ...rows] = readCsvRows(await readFile(path), { source: basename(path) });
  if (!header) throw new UserError(`${path} cannot be read: it is empty`);
  const wrong = [header, ...rows].find(({ damaged, cells }) => damaged || cells.length !== header.cells.length);
  if (wrong)
    throw new UserError(
      `${path} cannot be read: ${wrong.damaged ?? `line ${wrong.line} has ${wrong.cells.length} cells, the header ${header.cells.length}`}`,
    );
  return {
    columns: [...header.cells],
    rows: rows.map(({ cells }) => Object.fromEntries(header.cells.map((name, i) => [name, cells[i]]))),
  };
}

async function readParquet(path: string): Promise<TextTable> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  try {
    const quoted = `'${path.replaceAll("'", "''")}'`;
    const reader = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM read_parquet(${quoted})`);
    const columns = reader.columnNames();
    const rows = reader
      .getRows()
      .map((row) => Object.fromEntries(row.map((cell, i) => [columns[i], cell === null ? '' : String(cell)])));
    return { columns, rows };
  } catch (error) {
    throw new UserError(`${path} cannot be read: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
  } finally {
    connection.closeSync();
  }
}

/** Throws one line where a table lacks a column. */
export function needColumns(path: string, columns: readonly string[], needed: readonly string[]): void {
  const missing = needed.filter((column) => !columns.includes(column));
  if (missing.length)
    throw new UserError(
      `${path} lacks the column${missing.length > 1 ? 's' : ''} ${missing.join(', ')}; it has ${columns.join(', ')}`,
    );
}
