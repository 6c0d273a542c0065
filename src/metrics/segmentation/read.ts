import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { segmentationKey } from '../../contracts/segmentation.ts';
import type { Table } from '../analyze/table.ts';
import { readParquet } from '../read-run.ts';

const parquetIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [] as string[])).filter((name) => name.endsWith('.parquet')).sort();

/** The run folder's segmentation rows (`segmentation/*.parquet`). */
export async function readRunSegmentation(run: string): Promise<Table> {
  const folder = join(run, 'segmentation');
  const names = await parquetIn(folder);
  if (!names.length) throw new UserError(`No segmentation in ${run}; run a segmentation model first`);
  return readParquet(
    names.map((name) => join(folder, name)),
    basename(run),
    { key: segmentationKey },
  );
}

export const hasSegmentation = async (run: string): Promise<boolean> =>
  (await parquetIn(join(run, 'segmentation'))).length > 0;

/** A run whose models segment and none classifies. */
export const segmentsOnly = async (run: string): Promise<boolean> =>
  (await hasSegmentation(run)) && (await parquetIn(join(run, 'predictions'))).length === 0;
