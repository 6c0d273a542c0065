import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api';
import { sqlName } from './duckdb.ts';
import type { ColumnType } from './tables.ts';

/** Null: not known. */
export type StoredValue = string | number | boolean | null;

/** A temporary table of this name, new, with these rows. */
export async function fillTable(
  connection: DuckDBConnection,
  name: string,
  columns: readonly (readonly [name: string, type: ColumnType])[],
  rows: Iterable<readonly StoredValue[]>,
): Promise<void> {
  const declared = columns.map(([column, type]) => `${sqlName(column)} ${type}`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${name} (${declared.join(', ')})`);
  const appender = await connection.createAppender(name);
  for (const row of rows) {
    for (const [i, value] of row.entries()) append(appender, columns[i][1], value);
    appender.endRow();
  }
  appender.closeSync();
}

function append(appender: DuckDBAppender, type: ColumnType, value: StoredValue): void {
  if (value === null) appender.appendNull();
  else if (type === 'VARCHAR') appender.appendVarchar(value as string);
  else if (type === 'DOUBLE') appender.appendDouble(value as number);
  else if (type === 'INTEGER') appender.appendInteger(value as number);
  else appender.appendBoolean(value as boolean);
}
