// What the studio asks of a run on disk, beyond its tables; the folder itself is src/run/folder's.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, configSchema } from '../contracts/config.ts';
import type { RunRecord } from '../contracts/run-record.ts';
import { listShards, openDuckDb, sqlText } from '../run/folder/duckdb.ts';

export { fromParquet, openDuckDb } from '../run/folder/duckdb.ts';
export { isBeingWritten, readRunRecord } from '../run/folder/index.ts';

export const isRun = (folder: string): Promise<boolean> =>
  stat(join(folder, 'run.json')).then(
    (found) => found.isFile(),
    () => false,
  );

/** The settings of a run; undefined where it was made elsewhere, or by a version whose settings are no longer read. */
/** Without its plugins: a run folder from elsewhere must not name code to run; `studio --plugin` does. */
export function configOf(record: RunRecord): Config | undefined {
  const config = configSchema.safeParse(record.config).data;
  return config && { ...config, plugins: [] };
}

/** Rows of every shard, from the files' ends alone. */
export async function countShardRows(files: readonly string[]): Promise<number[]> {
  if (!files.length) return [];
  const { connection, close } = await openDuckDb({ threads: 1 });
  try {
    const result = await connection.runAndReadAll(
      `SELECT file_name, num_rows::INTEGER FROM parquet_file_metadata([${files.map(sqlText).join(', ')}])`,
    );
    const rows = new Map(result.getRowsJS() as [string, number][]);
    return files.map((file) => rows.get(file) ?? 0);
  } finally {
    close();
  }
}

export const answerShards = (folder: string): Promise<string[]> => listShards(folder, 'predictions');
