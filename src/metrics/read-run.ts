import { basename } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import { openRunFolder, type RunFolder, readParquetColumns } from '../run/folder/index.ts';
import { type ColumnTable, tableFrom } from './analyze/table.ts';
import { pictureFactors } from './picture-factors.ts';
import { withSaliency } from './saliency-join.ts';

/** The predictions of a run folder as one table, with what `explain` measured and how pictures were generated beside each answer. */
export async function readRun(run: string): Promise<ColumnTable> {
  const folder = await openRunFolder(run);
  try {
    const columns = await predictionColumns(folder);
    return tableFrom({ ...columns, ...(await pictureFactors(folder, columns.sample)) }, basename(folder.path));
  } finally {
    folder.close();
  }
}

export const predictionsOf = async (folder: RunFolder): Promise<ColumnTable> =>
  tableFrom(await predictionColumns(folder), basename(folder.path));

async function predictionColumns(folder: RunFolder) {
  if (!folder.tables.has('predictions'))
    throw new UserError(
      `No predictions in ${folder.path}; expected a run folder with predictions/*.parquet, or a .csv file`,
    );
  return folder.columns(await withSaliency(folder));
}

/** A Parquet file as one table. */
export const readParquet = async (file: string): Promise<ColumnTable> =>
  tableFrom(await readParquetColumns([file]), file);
