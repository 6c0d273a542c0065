import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBResultReader } from '@duckdb/node-api';
import type { StoreTable } from './store.ts';

export const quoteSql = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * One question to the shards of a run's table; `sql` is given what to select from. Undefined where the run has no such
 * shard. A kill while a shard is replaced leaves rows twice: the question must not count on seeing each once.
 */
export async function queryShards(
  run: string,
  table: StoreTable,
  sql: (shards: string) => string,
): Promise<DuckDBResultReader | undefined> {
  const folder = join(run, table);
  const names = (await readdir(folder).catch(() => [] as string[])).filter((name) => name.endsWith('.parquet'));
  if (!names.length) return undefined;
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    const files = names.sort().map((name) => quoteSql(join(folder, name)));
    return await connection.runAndReadAll(sql(`read_parquet([${files.join(', ')}])`));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
