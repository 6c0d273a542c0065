import { basename } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { withRunFolder } from '../../run/folder/index.ts';
import { type ColumnTable, tableFrom } from '../analyze/table.ts';

/** The run folder's segmentation rows (`segmentation/*.parquet`). */
export const readRunSegmentation = (run: string): Promise<ColumnTable> =>
  withRunFolder(run, async (folder) => {
    if (!folder.tables.has('segmentation'))
      throw new UserError(`No segmentation in ${run}; run a segmentation model first`);
    return tableFrom(await folder.columns('SELECT * FROM segmentation'), basename(folder.path));
  });

/** A run whose models segment and none classifies. */
export const segmentsOnly = (run: string): Promise<boolean> =>
  withRunFolder(run, async ({ tables }) => tables.has('segmentation') && !tables.has('predictions')).catch(notAFolder);

const notAFolder = (error: unknown): boolean => {
  if (error instanceof UserError) return false;
  throw error;
};
