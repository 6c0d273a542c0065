import type { TrainingRow } from '../../contracts/training.ts';
import { queryShards } from '../../run/query-shards.ts';

/** `training/*.parquet` of a run, in a fixed order; none where nothing was trained. */
export async function readTrainingRows(run: string): Promise<TrainingRow[]> {
  const found = await queryShards(
    run,
    'training',
    (shards) => `SELECT * EXCLUDE (unit, source) FROM ${shards}
       QUALIFY row_number() OVER (PARTITION BY unit, part, step) = 1 ORDER BY model, trained, fold, part, step`,
  );
  return (found?.getRowObjectsJS() ?? []) as unknown as TrainingRow[];
}
