import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fromParquet, openDuckDb } from '../../src/run/folder/index.ts';

/** Everything that the Parquet files of a run's table hold, hashes included, in an order of its own. */
export async function parquetContent(files: readonly string[]): Promise<unknown[][]> {
  const { connection, close } = await openDuckDb();
  try {
    return (await connection.runAndReadAll(`SELECT * FROM ${fromParquet(files)} ORDER BY ALL`)).getRowsJson();
  } finally {
    close();
  }
}

/** The files below a folder: `/`-separated name and bytes. */
export async function filesOf(folder: string): Promise<{ name: string; bytes: Buffer }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (path) => ({
      name: path
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
      bytes: await readFile(path),
    })),
  );
}
