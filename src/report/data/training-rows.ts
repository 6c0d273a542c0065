import type { TrainingRow } from '../../contracts/training.ts';
import { withRunFolder } from '../../run/folder/index.ts';

/** `training/*.parquet` of a run, in a fixed order; none where nothing was trained. */
export const readTrainingRows = (run: string): Promise<TrainingRow[]> =>
  withRunFolder(run, (folder) => folder.rows('training'));
