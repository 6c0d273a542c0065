import type { DuckDBConnection } from '@duckdb/node-api';
import type { RunTable } from '../../contracts/run-tables.ts';
import { renameDurably } from '../atomic.ts';
import { fromParquet, listShards, sqlName, sqlText } from './duckdb.ts';
import { formerIdentityColumns, identityColumns } from './tables.ts';

/** Shards of a run that was begun before the identity columns had their names of now, so that it can go on. */
export async function renameFormerColumns(connection: DuckDBConnection, run: string, table: RunTable): Promise<void> {
  const renames = formerIdentityColumns.map((name, i) => `${sqlName(name)} AS ${sqlName(identityColumns[i])}`);
  const files = await listShards(run, table);
  if (!files.length) return;
  const former = await connection.runAndReadAll(
    `SELECT file_name FROM parquet_schema([${files.map(sqlText).join(', ')}])
     WHERE name IN (${formerIdentityColumns.map(sqlText).join(', ')})
     GROUP BY file_name HAVING count(DISTINCT name) = ${formerIdentityColumns.length}`,
  );
  for (const [name] of former.getRowsJS()) {
    const file = String(name);
    const partial = `${file}.partial`;
    await connection.run(
      `COPY (SELECT * RENAME (${renames.join(', ')}) FROM ${fromParquet([file])})
       TO ${sqlText(partial)} (FORMAT parquet, COMPRESSION zstd)`,
    );
    await renameDurably(partial, file);
  }
}
