import { fitRows, type JudgedRows, judgeScores, type LabelledRows, predictHead, prepareRows, toHead } from './head.ts';

/** Strengths tried, strongest penalty first: scikit-learn's C, in powers of ten. */
export const strengthPath: readonly number[] = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000];

/** Enough to rank strengths by their loss; the head itself is then trained to the end. */
const pathTolerance = 1e-5;
/** Once the validation loss has risen so often in a row it does not come back. */
const mostRises = 2;

export interface PathPoint {
  readonly strength: number;
  readonly iterations: number;
  readonly train: JudgedRows;
  readonly validation: JudgedRows;
}

export interface ChosenStrength {
  readonly strength: number;
  readonly path: readonly PathPoint[];
}

/** The strength with the least loss on the validation rows, each fit starting where the stronger penalty ended. */
export function chooseStrength(
  set: LabelledRows,
  { training, validation }: { training: ArrayLike<number>; validation: ArrayLike<number> },
  strengths: readonly number[] = strengthPath,
): ChosenStrength {
  const rows = prepareRows(set, training);
  const truth = Int32Array.from(validation, (row) => set.classes[row]);
  const path: PathPoint[] = [];
  let point: Float64Array | undefined;
  let best = 0;
  for (const [i, strength] of strengths.entries()) {
    const fitted = fitRows(rows, { strength, tolerance: pathTolerance, point });
    point = fitted.point;
    const scores = predictHead(toHead(rows, point, strength), set, validation);
    path.push({
      strength,
      iterations: fitted.iterations,
      train: fitted.train,
      validation: judgeScores(scores, truth, set.c),
    });
    if (path[i].validation.loss < path[best].validation.loss) best = i;
    if (i - best >= mostRises) break;
  }
  return { strength: strengths[best], path };
}
