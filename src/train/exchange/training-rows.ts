import { UserError } from '../../contracts/errors.ts';
import type { TrainingRow } from '../../contracts/training.ts';
import { needColumns } from '../../models/read-table.ts';

type Cells = Record<string, string>;

/** `curves.csv` (model,trained,fold,epoch,split,loss,accuracy; two lines an epoch) as rows of `training/*.parquet`. */
export function toTrainingRows(
  { columns, rows }: { columns: readonly string[]; rows: readonly Cells[] },
  path: string,
): TrainingRow[] {
  needColumns(path, columns, ['model', 'trained', 'fold', 'epoch', 'split', 'loss', 'accuracy']);
  const points = new Map<string, TrainingRow>();
  for (const [i, cells] of rows.entries()) {
    const number = (name: string): number => {
      const value = Number(cells[name]);
      if (cells[name] === '' || !Number.isFinite(value))
        throw new UserError(`Expected a number for ${name} in row ${i + 1} of ${path} but found '${cells[name]}'`);
      return value;
    };
    const { model, trained, split } = cells;
    const [fold, step] = [number('fold'), number('epoch')];
    const key = JSON.stringify([model, trained, fold, step]);
    const known = points.get(key) ?? { ...nothingSeen, model, trained, fold, step };
    const seen = { loss: number('loss'), accuracy: number('accuracy') };
    if (split === 'train') points.set(key, { ...known, lossTrain: seen.loss, accuracyTrain: seen.accuracy });
    else if (split === 'validation')
      points.set(key, { ...known, lossValidation: seen.loss, accuracyValidation: seen.accuracy });
    else throw new UserError(`Expected train or validation for split in row ${i + 1} of ${path} but found '${split}'`);
  }
  return [...points.values()];
}

const nothingSeen = {
  part: 'curve',
  strength: Number.NaN,
  lossTrain: Number.NaN,
  accuracyTrain: Number.NaN,
  lossValidation: Number.NaN,
  accuracyValidation: Number.NaN,
  chosen: true,
} as const;
