import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
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

/** Starting one takes twenty times as long as another connection to it: one for each number of threads stays. */
const kept = new Map<number | undefined, Promise<DuckDBInstance>>();

/**
 * A connection to DuckDB in memory. Others may be open to the same: what is made in it is `TEMP`, its own. Who changes settings asks for one
 * that `isApart`.
 */
export async function openDuckDb({
  threads,
  isApart = false,
}: {
  readonly threads?: number;
  readonly isApart?: boolean;
} = {}): Promise<Database> {
  if (isApart) {
    const instance = await start(threads);
    const connection = await instance.connect();
    return {
      connection,
      close() {
        connection.closeSync();
        instance.closeSync();
      },
    };
  }
  const connection = await connectToKept(threads).catch(() => {
    // A fatal error, by a damaged file for instance, leaves one that answers nothing any more.
    kept.delete(threads);
    return connectToKept(threads);
  });
  return { connection, close: () => connection.closeSync() };
}

async function connectToKept(threads: number | undefined): Promise<DuckDBConnection> {
  const starting = kept.get(threads) ?? start(threads);
  kept.set(threads, starting);
  const connection = await (await starting).connect();
  await connection.run('SELECT 1');
  return connection;
}

async function start(threads: number | undefined): Promise<DuckDBInstance> {
  const { DuckDBInstance } = await loadDuckDb();
  // Files are read once or twice: kept pages of them would be memory that nobody asks for again.
  const settings = { enable_external_file_cache: 'false' };
  return DuckDBInstance.create(':memory:', threads ? { ...settings, threads: String(threads) } : settings);
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
