import { basename } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import { openRunFolder, type RunFolder, readParquetColumns } from '../run/folder/index.ts';
import { type ColumnTable, tableFrom } from './analyze/table.ts';
import { withSaliency } from './saliency-join.ts';

/** The predictions of a run folder as one table, with what `explain` measured beside each answer. */
export async function readRun(run: string): Promise<ColumnTable> {
  const folder = await openRunFolder(run);
  try {
    return await predictionsOf(folder);
  } finally {
    folder.close();
  }
}

export async function predictionsOf(folder: RunFolder): Promise<ColumnTable> {
  if (!folder.tables.has('predictions'))
    throw new UserError(
      `No predictions in ${folder.path}; expected a run folder with predictions/*.parquet, or a .csv file`,
    );
  return tableFrom(await folder.columns(await withSaliency(folder)), basename(folder.path));
}

/** A Parquet file as one table. */
export const readParquet = async (file: string): Promise<ColumnTable> =>
  tableFrom(await readParquetColumns([file]), file);
