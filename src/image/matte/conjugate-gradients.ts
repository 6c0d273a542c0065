/**
 * A symmetric system over some pixels of a grid, each bound to the 5 × 5 around it. The grid has a margin of 2, so that
 * every neighbour exists.
 */
export interface GridSystem {
  readonly stride: number;
  /** Places of the unknowns in the grid. */
  readonly places: Int32Array;
  /** 25 a row, neighbours in reading order. */
  readonly weights: Float32Array;
}

export interface SolverOptions {
  /** Stops when the residual is this share of the right-hand side. */
  readonly tolerance: number;
  readonly iterations: number;
}

/**
 * Solves for the unknowns of `grid`, whose other values are given, by conjugate gradients preconditioned by the diagonal
 * (Golub and Van Loan, 2013, algorithm 11.5.1). What stands at the unknowns' places is the start.
 */
export function solveGrid(system: GridSystem, grid: Float64Array, { tolerance, iterations }: SolverOptions): void {
  const { places, weights } = system;
  const n = places.length;
  const inverseDiagonal = Float64Array.from(places, (_, row) =>
    weights[row * 25 + 12] > 0 ? 1 / weights[row * 25 + 12] : 0,
  );
  const product = new Float64Array(n);
  const residual = new Float64Array(n);
  // Only unknowns move, so a direction is 0 everywhere else, and what is given counts for the residual alone.
  const direction = new Float64Array(grid.length);
  const given = grid.slice();
  for (let row = 0; row < n; row++) given[places[row]] = 0;
  multiply(system, given, product);
  let goal = 0;
  for (let row = 0; row < n; row++) goal += product[row] * product[row] * inverseDiagonal[row];
  goal *= tolerance ** 2;
  multiply(system, grid, product);
  let energy = 0;
  for (let row = 0; row < n; row++) {
    residual[row] = -product[row];
    direction[places[row]] = inverseDiagonal[row] * residual[row];
    energy += residual[row] * residual[row] * inverseDiagonal[row];
  }
  for (let step = 0; step < iterations && energy > goal; step++) {
    multiply(system, direction, product);
    let curvature = 0;
    for (let row = 0; row < n; row++) curvature += direction[places[row]] * product[row];
    if (!(curvature > 0)) break;
    const length = energy / curvature;
    let next = 0;
    for (let row = 0; row < n; row++) {
      const place = places[row];
      grid[place] += length * direction[place];
      const rest = (residual[row] -= length * product[row]);
      next += rest * rest * inverseDiagonal[row];
    }
    const turn = next / energy;
    energy = next;
    for (let row = 0; row < n; row++) {
      const place = places[row];
      direction[place] = inverseDiagonal[row] * residual[row] + turn * direction[place];
    }
  }
}

function multiply({ stride, places, weights: w }: GridSystem, x: Float64Array, out: Float64Array): void {
  for (let row = 0, k = 0; row < places.length; row++) {
    let sum = 0;
    for (let end = k + 25, p = places[row] - 2 * stride - 2; k < end; k += 5, p += stride)
      sum += w[k] * x[p] + w[k + 1] * x[p + 1] + w[k + 2] * x[p + 2] + w[k + 3] * x[p + 3] + w[k + 4] * x[p + 4];
    out[row] = sum;
  }
}
