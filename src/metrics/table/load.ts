import { stat } from 'node:fs/promises';
import { UserError } from '../../contracts/errors.ts';
import type { ColumnTable } from '../analyze/table.ts';
import { readCsv } from '../csv.ts';
import { readParquet, readRun } from '../read-run.ts';
import { type AccuracyCell, isAccuracyTable, toAccuracyCells } from './accuracy.ts';
import { isPredictionsTable, type Predictions, toPredictions } from './predictions.ts';

export type Loaded =
  | { readonly kind: 'predictions'; readonly predictions: Predictions }
  | { readonly kind: 'accuracy'; readonly source: string; readonly cells: readonly AccuracyCell[] };

/** Reads a run folder, a Parquet file, a predictions CSV or an accuracy CSV; the columns say which. */
export async function loadScores(path: string): Promise<Loaded> {
  return fromTable(await readAny(path));
}

async function readAny(path: string): Promise<ColumnTable> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new UserError(`Cannot read ${path}: there is no such file or folder`);
  if (found.isDirectory()) return readRun(path);
  return path.toLowerCase().endsWith('.parquet') ? readParquet(path) : readCsv(path);
}

export function fromTable(table: ColumnTable): Loaded {
  if (isPredictionsTable(table)) return { kind: 'predictions', predictions: toPredictions(table) };
  if (isAccuracyTable(table)) return { kind: 'accuracy', source: table.source, cells: toAccuracyCells(table) };
  const wanted = ['model', 'scenario', 'sample', 'label', 'prediction'];
  const missing = wanted.filter((name) => !table.has(name));
  throw new UserError(
    `${table.source} lacks the column${missing.length > 1 ? 's' : ''} ${missing.join(', ')}; predictions have ${wanted.join(',')} (and optionally probability,rank,fold,group,trained), accuracies have model,scenario,accuracy (and optionally class,trained,n); it has ${table.names.join(',')}`,
  );
}
