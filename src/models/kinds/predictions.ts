import { defineModel } from '../define.ts';
import type { PredictionsDescription } from '../predictions.ts';
import { mustExist } from './must-exist.ts';

export const predictionsKind = defineModel<PredictionsDescription>({
  id: 'predictions',
  title: 'predictions made elsewhere',
  written: 'FILE.csv, FILE.parquet, predictions:FILE',
  describes: ['predictions'],
  find: (path) => (/\.(csv|parquet)$/i.test(path) ? path : undefined),
  async describe(path, settings) {
    const { describePredictions } = await import('../predictions.ts');
    return describePredictions(mustExist(path), settings);
  },
  async open(described) {
    const { openPredictions } = await import('../predictions.ts');
    return openPredictions(described);
  },
});
