import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Table } from '../analyze/table.ts';
import { readParquet } from '../read-run.ts';

/** The segmentation rows of a run (`segmentation/*.parquet`). */
export async function readSegmentation(folder: string): Promise<Table> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.parquet')).sort();
  return readParquet(
    names.map((name) => join(folder, name)),
    basename(dirname(folder)),
  );
}
