import { stat } from 'node:fs/promises';
import { checkNumbers } from '../check-numbers.ts';
import { readCsv } from '../csv.ts';
import { readParquet, readRun } from '../read-run.ts';
import { readRunSegmentation, segmentsOnly } from '../segmentation/read.ts';
import { segmentationFormula, segmentationOutcome, segmentationRegression } from '../segmentation/regression.ts';
import { analyze } from './analyze.ts';
import type { AnalyzeOptions } from './options.ts';
import type { ColumnTable } from './table.ts';

export interface AnalyzePathOptions extends AnalyzeOptions {
  /** Of segmentation: means by model, scenario and class, or every image. */
  readonly rows?: 'cell' | 'image';
}

/** The regression of a run folder or of a CSV or Parquet table. */
export async function analyzePath(path: string, { rows = 'cell', ...options }: AnalyzePathOptions = {}) {
  checkNumbers(options);
  const { table, formula } = await readTable(path, options.formula, rows);
  return analyze(table, { ...options, formula });
}

/** A folder is a run, anything else a table. Of a run, the formula's outcome says whether segmentation is meant. */
async function readTable(
  path: string,
  formula: string | undefined,
  rows: 'cell' | 'image',
): Promise<{ table: ColumnTable; formula: string | undefined }> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory())
    return { table: await (path.toLowerCase().endsWith('.parquet') ? readParquet(path) : readCsv(path)), formula };
  const outcome = segmentationOutcome(formula);
  if (!outcome && !(await segmentsOnly(path))) return { table: await readRun(path), formula };
  const table = segmentationRegression(await readRunSegmentation(path), { rows, formula });
  return { table, formula: formula ?? segmentationFormula(table) };
}
