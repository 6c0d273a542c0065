import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { RunTable } from '../../contracts/run-tables.ts';

/** A text, and a column's or table's name, as they stand in SQL. */
export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`;
export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export interface Database {
  readonly connection: DuckDBConnection;
  close(): void;
}

/** Loads the library when it is first needed; that takes a while, so a caller that will need it may call this early. */
export const loadDuckDb = (): Promise<typeof import('@duckdb/node-api')> => import('@duckdb/node-api');

/** DuckDB in memory. */
export async function openDuckDb({ threads }: { threads?: number } = {}): Promise<Database> {
  const { DuckDBInstance } = await loadDuckDb();
  const instance = await DuckDBInstance.create(':memory:', threads ? { threads: String(threads) } : {});
  const connection = await instance.connect();
  return {
    connection,
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Of the library that is loaded. */
export const duckDbVersion = async (): Promise<string> => (await loadDuckDb()).version();

/** The Parquet files of a run's table, in an order of their own. */
export async function listShards(run: string, table: RunTable): Promise<string[]> {
  const names = await readdir(join(run, table)).catch(() => [] as string[]);
  return names
    .filter((name) => name.endsWith('.parquet'))
    .sort()
    .map((name) => join(run, table, name));
}

/** What to select from, for some Parquet files. Shards of older versions may lack a column, or have it wider. */
export const fromParquet = (files: readonly string[], options = ''): string =>
  `read_parquet([${files.map(sqlText).join(', ')}], union_by_name = true${options})`;
