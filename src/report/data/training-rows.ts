import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TrainingRow } from '../../contracts/training.ts';

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** `training/*.parquet` of a run, in a fixed order; none where nothing was trained. */
export async function readTrainingRows(run: string): Promise<TrainingRow[]> {
  const folder = join(run, 'training');
  const names = (await readdir(folder).catch(() => [] as string[])).filter((name) => name.endsWith('.parquet'));
  if (!names.length) return [];
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    const files = names.sort().map((name) => quote(join(folder, name)));
    // A kill while a shard is replaced leaves rows twice.
    const reader = await connection.runAndReadAll(
      `SELECT * EXCLUDE (unit, source) FROM read_parquet([${files.join(', ')}])
       QUALIFY row_number() OVER (PARTITION BY unit, part, step) = 1 ORDER BY model, trained, fold, part, step`,
    );
    return reader.getRowObjectsJS() as unknown as TrainingRow[];
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
