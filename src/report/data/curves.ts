import type { TrainingRow } from '../../contracts/training.ts';

export type Measure = 'loss' | 'accuracy';

/** A training curve at one step: the mean over the folds, and the lowest and the highest fold. */
export interface CurvePoint {
  readonly trained: string;
  readonly measure: Measure;
  readonly rows: 'training' | 'validation';
  readonly step: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly folds: number;
}

export interface Curves {
  /** Iterations of a fitted head, or epochs of a network trained elsewhere. */
  readonly step: 'iteration' | 'epoch';
  readonly points: readonly CurvePoint[];
}

const series: readonly [Measure, CurvePoint['rows'], keyof TrainingRow][] = [
  ['accuracy', 'training', 'accuracyTrain'],
  ['accuracy', 'validation', 'accuracyValidation'],
  ['loss', 'training', 'lossTrain'],
  ['loss', 'validation', 'lossValidation'],
];
/** More points than this are not told apart on paper. */
const mostSteps = 60;

/**
 * Curves of one model, folds taken together. Folds end after different numbers of steps; one that has ended stands where
 * it stopped. A head starts from nothing (step 0), which is chance and left out.
 */
export function curvesOf(all: readonly TrainingRow[]): Curves {
  const rows = all.filter(({ part, fold, step }) => part === 'curve' && fold >= 0 && step > 0);
  const step = rows.some(({ strength }) => Number.isFinite(strength)) ? 'iteration' : 'epoch';
  const heads = [...new Set(rows.map(({ trained }) => trained))];
  const points = heads.flatMap((trained) => {
    const own = rows.filter((row) => row.trained === trained);
    const folds = [...new Set(own.map(({ fold }) => fold))].map((fold) =>
      own.filter((row) => row.fold === fold).sort((a, b) => a.step - b.step),
    );
    const steps = stepsShown(
      [...new Set(own.map((row) => row.step))].sort((a, b) => a - b),
      step,
    );
    return series.flatMap(([measure, rowsOf, key]) =>
      steps.flatMap((at): CurvePoint[] => {
        const values = folds
          .map((fold) => fold.findLast((row) => row.step <= at)?.[key] as number | null | undefined)
          .filter((value): value is number => Number.isFinite(value));
        if (!values.length) return [];
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        const [low, high] = [Math.min(...values), Math.max(...values)];
        return [{ trained, measure, rows: rowsOf, step: at, mean, low, high, folds: values.length }];
      }),
    );
  });
  return { step, points };
}

/** Iterations run into thousands and matter at first: they are thinned by ratio, epochs evenly. */
function stepsShown(steps: readonly number[], kind: Curves['step']): number[] {
  if (steps.length <= mostSteps) return [...steps];
  const [first, last] = [steps[0], steps.at(-1) as number];
  const wanted = Array.from({ length: mostSteps }, (_, i) => {
    const share = i / (mostSteps - 1);
    return kind === 'iteration' ? first * (last / first) ** share : first + (last - first) * share;
  });
  // To a billionth, so that the last one is not lost to rounding.
  return [...new Set(wanted.map((at) => steps.findLast((step) => step <= at * (1 + 1e-9)) as number))];
}
