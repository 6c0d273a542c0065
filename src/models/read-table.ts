import { existsSync } from 'node:fs';
import { UserError } from '../contracts/errors.ts';

/** The rows of a CSV (any usual separator) or Parquet file, every cell as text. */
export async function readTable(path: string): Promise<{ columns: string[]; rows: Record<string, string>[] }> {
  if (!existsSync(path)) throw new UserError(`There is no file ${path}`);
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  try {
    const quoted = `'${path.replaceAll("'", "''")}'`;
    const source = /\.parquet$/i.test(path)
      ? `read_parquet(${quoted})`
      : `read_csv(${quoted}, header = true, all_varchar = true)`;
    const reader = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM ${source}`);
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
