import type { Line, Problem } from './lbfgs.ts';
import { choleskyInPlace, gramOfColumns, mirror } from './matrix.ts';
import { addWeightedRows, scoresOf, solveCholesky } from './products.ts';
import type { RowSpace } from './row-space.ts';

export interface SoftmaxInput {
  readonly space: RowSpace;
  /** Class (0 … c − 1) of every row of z. */
  readonly classes: Int32Array;
  readonly c: number;
  /** Weight of half the squared length of the weights, beside the mean loss. */
  readonly penalty: number;
  /** Limit on the cost of the preconditioner. */
  readonly mostProducts?: number;
  /** Where to start: c × r weights, then c intercepts. Moved in place. */
  readonly point: Float64Array;
}

/** Mean log loss of a linear softmax plus the penalty; intercepts are not penalised. Along a line it costs no product with Z. */
export function softmaxProblem({
  space,
  classes,
  c,
  penalty,
  point,
  mostProducts = usualProducts,
}: SoftmaxInput): Problem & { readonly scores: Float64Array } {
  const { z, n, r, ends } = space;
  const shape = { n, r, c, ends };
  const size = c * r + c;
  const scores = scoresOf(z, point, shape);
  addIntercepts(scores, point.subarray(c * r), n, c);
  const residual = new Float64Array(n * c);
  const slopes = new Float64Array(n * c);
  const precondition = preconditioner(space, curvaturesOf(scores, n, c), { c, penalty, mostProducts });

  return {
    size,
    /** Of every row, at the point. */
    scores,
    evaluate(gradient) {
      const loss = residualsOf(scores, classes, n, c, residual);
      gradient.fill(0);
      addWeightedRows(residual, z, shape, gradient);
      let squares = 0;
      for (let i = 0; i < c * r; i++) {
        gradient[i] = gradient[i] / n + penalty * point[i];
        squares += point[i] * point[i];
      }
      for (let i = 0; i < n; i++) for (let k = 0; k < c; k++) gradient[c * r + k] += residual[i * c + k] / n;
      return loss / n + (penalty / 2) * squares;
    },
    along(direction): Line {
      scoresOf(z, direction, shape, slopes);
      addIntercepts(slopes, direction.subarray(c * r), n, c);
      let cross = 0;
      let square = 0;
      for (let i = 0; i < c * r; i++) {
        cross += point[i] * direction[i];
        square += direction[i] * direction[i];
      }
      return {
        derivatives(t) {
          const { slope, curvature } = alongScores(scores, slopes, classes, t, n, c);
          return { slope: slope / n + penalty * (cross + t * square), curvature: curvature / n + penalty * square };
        },
        move(t) {
          for (let i = 0; i < size; i++) point[i] += t * direction[i];
          for (let i = 0; i < n * c; i++) scores[i] += t * slopes[i];
        },
      };
    },
    precondition,
  };
}

function addIntercepts(scores: Float64Array, intercepts: Float64Array, n: number, c: number): void {
  for (let i = 0, at = 0; i < n; i++) for (let k = 0; k < c; k++, at++) scores[at] += intercepts[k];
}

/** Probabilities minus truth, and the summed loss. */
function residualsOf(scores: Float64Array, classes: Int32Array, n: number, c: number, into: Float64Array): number {
  let loss = 0;
  for (let i = 0; i < n; i++) {
    const at = i * c;
    let largest = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < c; k++) if (scores[at + k] > largest) largest = scores[at + k];
    let sum = 0;
    for (let k = 0; k < c; k++) sum += into[at + k] = Math.exp(scores[at + k] - largest);
    loss += Math.log(sum) + largest - scores[at + classes[i]];
    for (let k = 0; k < c; k++) into[at + k] /= sum;
    into[at + classes[i]] -= 1;
  }
  return loss;
}

function alongScores(
  scores: Float64Array,
  slopes: Float64Array,
  classes: Int32Array,
  t: number,
  n: number,
  c: number,
): { slope: number; curvature: number } {
  let slope = 0;
  let curvature = 0;
  for (let i = 0; i < n; i++) {
    const at = i * c;
    let largest = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < c; k++) {
      const score = scores[at + k] + t * slopes[at + k];
      if (score > largest) largest = score;
    }
    let sum = 0;
    let first = 0;
    let second = 0;
    for (let k = 0; k < c; k++) {
      const slopeHere = slopes[at + k];
      const share = Math.exp(scores[at + k] + t * slopeHere - largest);
      sum += share;
      first += share * slopeHere;
      second += share * slopeHere * slopeHere;
    }
    const mean = first / sum;
    slope += mean - slopes[at + classes[i]];
    curvature += second / sum - mean * mean;
  }
  return { slope, curvature };
}

/** p·(1 − p) of every row, on average over the classes: how much the row adds to the second derivative of the loss. */
function curvaturesOf(scores: Float64Array, n: number, c: number): Float64Array {
  const shares = new Float64Array(n * c);
  residualsOf(scores, new Int32Array(n), n, c, shares);
  return Float64Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let k = 0; k < c; k++) {
      const p = shares[i * c + k] + (k === 0 ? 1 : 0);
      sum += p * (1 - p);
    }
    return sum / c;
  });
}

/**
 * Products that Zᵀ·D·Z may cost; where there are more rows, they are sampled evenly, which is exact enough for a
 * preconditioner.
 */
const usualProducts = 4e9;
/**
 * Rows answered with certainty have no curvature now but may get some later: they count with this share of the mean.
 */
const leastShare = 0.02;

/**
 * Multiplies by (Zᵀ·D·Z/n + penalty)⁻¹ for every class, D being the rows' curvatures at the start: close to the inverse
 * second derivative, but for the terms that join two classes. Z is nearly centred, so intercepts are scaled by
 * themselves.
 */
function preconditioner(
  { z, n, r, ends }: RowSpace,
  curvatures: Float64Array,
  { c, penalty, mostProducts }: { c: number; penalty: number; mostProducts: number },
) {
  const mean = Math.max(curvatures.reduce((sum, value) => sum + value, 0) / n, 1e-12);
  const step = Math.max(1, Math.floor(n / Math.max(2 * r, mostProducts / (r * r))));
  const rows = Math.floor(n / step);
  const weighted = new Float64Array(rows * r);
  const ownEnds = new Int32Array(rows);
  for (let i = 0; i < rows; i++) {
    const root = Math.sqrt(Math.max(curvatures[i * step], leastShare * mean) / rows);
    ownEnds[i] = ends[i * step];
    for (let j = 0, from = i * step * r; j < ownEnds[i]; j++) weighted[i * r + j] = root * z[from + j];
  }
  const factor = gramOfColumns(weighted, rows, r, ownEnds);
  for (let i = 0; i < r; i++) factor[i * r + i] += penalty;
  // Rounding can spoil a nearly singular matrix under a very weak penalty; steps are then not preconditioned.
  if (!choleskyInPlace(factor, r)) return undefined;
  mirror(factor, r);
  return (vector: Float64Array) => {
    solveCholesky(factor, r, vector.subarray(0, c * r), c);
    for (let k = 0; k < c; k++) vector[c * r + k] /= mean;
  };
}
