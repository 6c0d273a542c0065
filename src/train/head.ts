import { minimise } from './lbfgs.ts';
import { scoresOf } from './products.ts';
import { type RowSpace, rowSpaceOf } from './row-space.ts';
import { softmaxProblem } from './softmax.ts';
import { fitScaling, type Rows, type Scaling, standardise } from './standardise.ts';

/** A linear classifier on standardised features: scores = weights · (x − mean) / scale + intercepts. */
export interface Head extends Scaling {
  readonly c: number;
  readonly d: number;
  /** c × d. */
  readonly weights: Float64Array;
  /** −∞ for a class that the training rows lacked. */
  readonly intercepts: Float64Array;
  readonly strength: number;
}

/**
 * The score of a class that training never saw: below every other, and finite because neither files nor stored answers
 * hold infinities.
 */
export const unseenScore = -1e30;

/** Features with the class (0 … c − 1) of every row. */
export interface LabelledRows extends Rows {
  readonly classes: Int32Array;
  readonly c: number;
}

export interface JudgedRows {
  /** Mean log loss. */
  readonly loss: number;
  readonly accuracy: number;
}

/** One point of a training curve: after so many iterations. */
export interface TrainingPoint {
  readonly step: number;
  readonly train: JudgedRows;
  readonly validation?: JudgedRows;
}

/** Everything about some training rows that does not depend on the strength. */
export interface TrainingRows {
  readonly scaling: Scaling;
  readonly space: RowSpace;
  /** Classes that occur, and the place of every row's class among them. */
  readonly present: Int32Array;
  readonly classes: Int32Array;
  readonly c: number;
  readonly d: number;
}

export function prepareRows(set: LabelledRows, rows: ArrayLike<number>): TrainingRows {
  const scaling = fitScaling(set, rows);
  const space = rowSpaceOf(standardise(set, rows, scaling), rows.length, set.d);
  const own = Int32Array.from(space.order, (row) => set.classes[rows[row]]);
  const present = Int32Array.from(new Set(own)).sort();
  const place = new Map(Array.from(present, (code, k) => [code, k]));
  const classes = own.map((code) => place.get(code) as number);
  return { scaling, space, present, classes, c: set.c, d: set.d };
}

export interface FitOptions {
  /** scikit-learn's C: the sum of the losses weighs C against half the squared length of the weights. */
  readonly strength: number;
  /** Largest component of the gradient of the mean objective at the end. */
  readonly tolerance?: number;
  readonly maxIterations?: number;
  /** Where to start; moved in place. Zero where left out. */
  readonly point?: Float64Array;
  /** Collects the curve; its validation rows are only looked at. */
  readonly curve?: {
    readonly points: TrainingPoint[];
    readonly set?: LabelledRows;
    readonly validation?: ArrayLike<number>;
  };
}

export interface Fitted {
  readonly point: Float64Array;
  readonly iterations: number;
  readonly converged: boolean;
  /** Mean loss plus penalty. */
  readonly objective: number;
  readonly train: JudgedRows;
}

/** Tolerances at which the preconditioner is made anew from the rows' curvatures at that point. */
const stages = [1e-2, 1e-3, 1e-4];

/** Multinomial logistic regression at one strength. */
export function fitRows(rows: TrainingRows, options: FitOptions): Fitted {
  const { space, classes } = rows;
  const { strength, tolerance = 1e-8, maxIterations = 2000, curve } = options;
  const c = rows.present.length;
  const point = options.point ?? new Float64Array(c * space.r + c);
  // scikit-learn has one weight vector for two classes. Here they are two opposite halves, whose squares sum to half as
  // much, so the penalty is doubled.
  const penalty = (c === 2 ? 2 : 1) / (strength * space.n);
  const seen = curve && validationIn(rows, curve);
  // On a path of strengths every fit starts near its solution, where one preconditioner is enough.
  const before = options.point ? [] : stages.filter((each) => each > tolerance);
  let iterations = 0;
  for (const [stage, limit] of [...before, tolerance].entries()) {
    const problem = softmaxProblem({ space, classes, c, penalty, point });
    const judge = () => judgeScores(problem.scores, classes, c);
    const { value, converged, ...done } = minimise(problem, {
      tolerance: limit,
      maxIterations: maxIterations - iterations,
      onIteration: (step) => {
        // The first point of a later stage is the last one of the stage before.
        if (curve && (step > 0 || stage === 0))
          curve.points.push({ step: iterations + step, train: judge(), validation: seen?.(point) });
      },
    });
    iterations += done.iterations;
    if (limit === tolerance) return { point, iterations, converged, objective: value, train: judge() };
  }
  throw new Error('no stage');
}

export function toHead({ scaling, space, present, c, d }: TrainingRows, point: Float64Array, strength: number): Head {
  const own = present.length;
  const lifted = space.lift(point.subarray(0, own * space.r), own);
  const weights = new Float64Array(c * d);
  const intercepts = new Float64Array(c).fill(Number.NEGATIVE_INFINITY);
  for (const [k, code] of present.entries()) {
    weights.set(lifted.subarray(k * d, (k + 1) * d), code * d);
    intercepts[code] = point[own * space.r + k];
  }
  return { ...scaling, c, d, weights, intercepts, strength };
}

/** Scores (rows × c) of the rows named. */
export function predictHead(head: Head, set: Rows, rows: ArrayLike<number>): Float64Array {
  const { c, d, weights, intercepts } = head;
  const n = rows.length;
  const scores = scoresOf(standardise(set, rows, head), weights, { n, r: d, c });
  for (let i = 0, at = 0; i < n; i++) for (let k = 0; k < c; k++, at++) scores[at] += intercepts[k];
  return scores;
}

/** Mean loss and accuracy; a row whose class has no score (−∞, or −1) counts as wrong and not in the loss. */
export function judgeScores(scores: Float64Array, classes: Int32Array, c: number): JudgedRows {
  let loss = 0;
  let counted = 0;
  let right = 0;
  for (const [i, truth] of classes.entries()) {
    let best = 0;
    for (let k = 1; k < c; k++) if (scores[i * c + k] > scores[i * c + best]) best = k;
    if (best === truth) right++;
    if (truth < 0 || scores[i * c + truth] === Number.NEGATIVE_INFINITY) continue;
    const largest = scores[i * c + best];
    let sum = 0;
    for (let k = 0; k < c; k++) sum += Math.exp(scores[i * c + k] - largest);
    loss += Math.log(sum) + largest - scores[i * c + truth];
    counted++;
  }
  return {
    loss: counted ? loss / counted : Number.NaN,
    accuracy: classes.length ? right / classes.length : Number.NaN,
  };
}

/** Judges the validation rows at any point, without leaving the row space. */
function validationIn({ scaling, space, present }: TrainingRows, curve: NonNullable<FitOptions['curve']>) {
  const { set, validation } = curve;
  if (!set || !validation?.length) return undefined;
  const m = validation.length;
  const c = present.length;
  const projected = space.project(standardise(set, validation, scaling), m);
  const place = new Map(Array.from(present, (code, k) => [code, k]));
  const classes = Int32Array.from(validation, (row) => place.get(set.classes[row]) ?? -1);
  return (point: Float64Array): JudgedRows => {
    const scores = scoresOf(projected, point, { n: m, r: space.r, c });
    for (let i = 0, at = 0; i < m; i++) for (let k = 0; k < c; k++, at++) scores[at] += point[c * space.r + k];
    return judgeScores(scores, classes, c);
  };
}
