import type { TrainingRow } from '../contracts/training.ts';
import type { RunStore } from '../run/folder/index.ts';
import type { FittedHead } from './fit-heads.ts';
import type { JudgedRows } from './head.ts';
import { loadHead, type TrainedHead } from './head-store.ts';

/** Writes the curves of every head that is not written yet; those of heads that are no more are removed. */
export async function writeCurves(
  run: string,
  { model, heads, store }: { model: string; heads: readonly FittedHead[]; store: RunStore },
): Promise<void> {
  await store.removeHeads(
    'training',
    model,
    heads.flatMap(({ keys }) => keys),
  );
  const known = new Set<string>();
  await store.forEachKey('training', (condition) => known.add(condition));
  for (const head of heads) {
    const missing = [...head.keys.entries()].filter(([, key]) => !known.has(key));
    const rows = await Promise.all(
      missing.map(async ([fold, key]) =>
        curveRows(await loadHead(run, key), { model, trained: head.name, fold }).map((row) => ({
          ...row,
          condition: key,
          sampleHash: '',
        })),
      ),
    );
    await store.write('training', rows.flat());
  }
}

const nothing: JudgedRows = { loss: Number.NaN, accuracy: Number.NaN };

function curveRows(
  { head, curve, path }: TrainedHead,
  shared: Pick<TrainingRow, 'model' | 'trained' | 'fold'>,
): TrainingRow[] {
  const row = (
    part: 'curve' | 'path',
    step: number,
    strength: number,
    train: JudgedRows,
    validation: JudgedRows = nothing,
  ) => ({
    ...shared,
    part,
    step,
    strength,
    lossTrain: train.loss,
    accuracyTrain: train.accuracy,
    lossValidation: validation.loss,
    accuracyValidation: validation.accuracy,
    chosen: strength === head.strength,
  });
  return [
    ...curve.map(({ step, train, validation }) => row('curve', step, head.strength, train, validation)),
    ...path.map(({ strength, train, validation }, step) => row('path', step, strength, train, validation)),
  ];
}
