import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listShards, openDuckDb, sqlText } from './duckdb.ts';

export const isRunFolder = (folder: string): Promise<boolean> =>
  stat(join(folder, 'run.json')).then(
    (found) => found.isFile(),
    () => false,
  );

/** The files that hold a run's answers so far. */
export const answerShards = (folder: string): Promise<string[]> => listShards(folder, 'predictions');

/** Rows of every shard, from the Parquet footers alone. */
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
