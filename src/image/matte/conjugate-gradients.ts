import { doubles, type kernels, singles, take } from '../kernels/arena.ts';

/**
 * A symmetric system over some pixels of a grid, each bound to the 5 × 5 around it. The grid has a margin of 2, so that
 * every neighbour exists. All of it lies in the kernels' memory.
 */
export interface GridSystem {
  readonly stride: number;
  readonly unknowns: number;
  /** Places of the unknowns in the grid, in order. */
  readonly places: number;
  /** 25 a row in single precision, neighbours in reading order. */
  readonly weights: number;
  /** The values, in double precision, and how many. */
  readonly grid: number;
  readonly size: number;
}

export interface SolverOptions {
  /** Stops when the residual is this share of the right-hand side. */
  readonly tolerance: number;
  readonly iterations: number;
}

/**
 * Solves for the unknowns of the grid, whose other values are given, by conjugate gradients preconditioned by the diagonal
 * (Golub and Van Loan, 2013, algorithm 11.5.1). What stands at the unknowns' places is the start.
 */
export function solveGrid(
  kernel: ReturnType<typeof kernels>,
  { stride, unknowns: n, places, weights, grid, size }: GridSystem,
  { tolerance, iterations }: SolverOptions,
): void {
  const items = take(n * 8);
  const paired = take(n * 200);
  const product = take(n * 8);
  const residual = take(n * 8);
  const inverseDiagonal = take(n * 8);
  const direction = take(size * 8);
  const inverse = doubles(inverseDiagonal, n);
  const diagonal = singles(weights, n * 25);
  for (let row = 0; row < n; row++) inverse[row] = diagonal[row * 25 + 12] > 0 ? 1 / diagonal[row * 25 + 12] : 0;
  const count = kernel.mattePairs(places, n, weights, items, paired);
  const multiply = (x: number) => kernel.matteMultiply(items, count, stride, paired, x, product);
  const energyOf = (values: Float64Array) => {
    let energy = 0;
    for (let row = 0; row < n; row++) energy += values[row] * values[row] * inverse[row];
    return energy;
  };

  // Only unknowns move, so a direction is 0 everywhere else, and what is given counts for the residual alone.
  const products = doubles(product, n);
  const [values, directions] = [doubles(grid, size), doubles(direction, size)];
  const at = new Int32Array(values.buffer, places, n);
  directions.set(values);
  for (let row = 0; row < n; row++) directions[at[row]] = 0;
  multiply(direction);
  const goal = energyOf(products) * tolerance ** 2;
  multiply(grid);
  directions.fill(0);
  const residuals = doubles(residual, n);
  for (let row = 0; row < n; row++) {
    residuals[row] = -products[row];
    directions[at[row]] = inverse[row] * residuals[row];
  }
  let energy = energyOf(residuals);
  for (let step = 0; step < iterations && energy > goal; step++) {
    const curvature = multiply(direction);
    if (!(curvature > 0)) break;
    const length = energy / curvature;
    const next = kernel.matteStep(n, length, product, residual, inverseDiagonal);
    kernel.matteTurn(items, count, length, next / energy, grid, direction, residual, inverseDiagonal);
    energy = next;
  }
}
