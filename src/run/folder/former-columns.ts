import type { DuckDBConnection } from '@duckdb/node-api';
import type { RunTable } from '../../contracts/run-tables.ts';
import { renameDurably } from '../atomic.ts';
import { fromParquet, listShards, sqlName, sqlText } from './duckdb.ts';
import { formerIdentityColumns, identityColumns } from './tables.ts';

/** Shards of a run that was begun before the identity columns had their names of now, so that it can go on. */
export async function renameFormerColumns(connection: DuckDBConnection, run: string, table: RunTable): Promise<void> {
  const renames = formerIdentityColumns.map((name, i) => `${sqlName(name)} AS ${sqlName(identityColumns[i])}`);
  for (const file of await listShards(run, table)) {
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${fromParquet([file])}`);
    const names = new Set(described.getRowsJS().map(([name]) => name));
    if (!formerIdentityColumns.every((name) => names.has(name))) continue;
    const partial = `${file}.partial`;
    await connection.run(
      `COPY (SELECT * RENAME (${renames.join(', ')}) FROM ${fromParquet([file])})
       TO ${sqlText(partial)} (FORMAT parquet, COMPRESSION zstd)`,
    );
    await renameDurably(partial, file);
  }
}
