import { type DesignColumn, indicatorColumn, multiplyRows, sparseRows } from './columns.ts';
import { type Family, type FamilyName, families } from './family.ts';
import { aliasTolerance, type LeastSquares } from './fit.ts';
import { leastSquares } from './least-squares.ts';
import { findSeparation, nullVectors, type Separation } from './separation.ts';

export interface GlmData {
  readonly columns: readonly DesignColumn[];
  /** Counts (poisson) or proportions (binomial). */
  readonly y: Float64Array;
  /** Prior weights; for proportions the number of trials. */
  readonly weights: Float64Array;
  readonly offset?: Float64Array;
  /** The design has an intercept; decides the null model. */
  readonly intercept: boolean;
}

export interface Glm {
  readonly family: Family;
  readonly coefficients: Float64Array;
  readonly kept: number[];
  readonly aliased: number[];
  /** Columns without a finite estimate, with the sign of the infinity. */
  readonly infinite: Map<number, 1 | -1>;
  /** Inverse of the Fisher information over the kept columns. */
  readonly covariance: Float64Array;
  readonly fitted: Float64Array;
  readonly eta: Float64Array;
  readonly deviance: number;
  readonly nullDeviance: number;
  readonly logLikelihood: number;
  readonly pearson: number;
  readonly iterations: number;
  readonly converged: boolean;
  readonly separation: Separation['kind'];
  /** Rows predicted perfectly in the limit, left out of the finite part. */
  readonly perfect: Uint8Array;
  /** The last weighted least-squares fit, with its leverages and reduced form. */
  readonly working: LeastSquares | null;
}

const maxIterations = 100;

/**
 * Poisson or binomial regression with the canonical link by iteratively reweighted least squares (McCullagh and Nelder,
 * 1989, 2.5). From the second round on the step itself is solved for, so that the estimate keeps its last digits; it ends
 * when a step is below 1e-10 standard errors.
 */
export function glm(
  data: GlmData,
  { family: name, tolerance = aliasTolerance }: { family: FamilyName; tolerance?: number },
): Glm {
  const family = families[name];
  const side = Int8Array.from(data.y, (y) => (name === 'poisson' ? (y === 0 ? -1 : 0) : y >= 1 ? 1 : y <= 0 ? -1 : 0));
  const separation = findSeparation(data.columns, side);
  const rest: number[] = [];
  for (let i = 0; i < data.y.length; i++) if (!separation.perfect[i]) rest.push(i);
  const infinite = infiniteColumns(data.columns, separation, rest);
  const finite = rest.length === data.y.length ? data : pick(data, rest);
  const fit = rest.length ? iterate(finite, family, tolerance) : null;
  return assemble(data, family, { separation, infinite, fit, rest, tolerance });
}

interface Iteration {
  readonly working: LeastSquares;
  readonly coefficients: Float64Array;
  readonly eta: Float64Array;
  readonly deviance: number;
  readonly iterations: number;
  readonly converged: boolean;
}

function iterate({ columns, y, weights, offset }: GlmData, family: Family, tolerance: number): Iteration {
  const rows = sparseRows(columns, y.length);
  let eta: Float64Array = Float64Array.from(y, (value, i) => family.linkOf(family.start(value, weights[i])));
  let coefficients: Float64Array = new Float64Array(columns.length);
  let deviance = Number.POSITIVE_INFINITY;
  let converged = false;
  let iterations = 0;
  let working: LeastSquares | undefined;
  while (iterations < maxIterations) {
    iterations++;
    const first = working === undefined;
    // Far out the slope underflows; the floor keeps the working response finite.
    const slope = eta.map((value) => Math.max(family.slope(value), 1e-30));
    const information = slope.map((value, i) => value * weights[i]);
    const response = eta.map((value, i) => {
      const step = (y[i] - family.meanOf(value)) / slope[i];
      return first ? value - (offset?.[i] ?? 0) + step : step;
    });
    working = leastSquares(columns, { values: response }, { weights: information, tolerance, method: 'gram' });
    const solved = working.coefficients.map((value) => (Number.isNaN(value) ? 0 : value));
    const previous = first ? solved.map(() => 0) : coefficients;
    let step = 1;
    let next = { coefficients: solved, eta, deviance };
    // Halving keeps a step from leaving the region where the likelihood grows.
    for (; step > 1e-6; step /= 2) {
      const moved = solved.map((value, j) => previous[j] + step * value);
      const movedEta = multiplyRows(rows, moved, offset);
      const movedDeviance = totalDeviance(family, y, weights, movedEta);
      next = { coefficients: moved, eta: movedEta, deviance: movedDeviance };
      if (movedDeviance <= deviance * (1 + 1e-8) + 1e-8) break;
    }
    ({ coefficients, eta, deviance } = next);
    // The step's length in standard errors: δᵀ(XᵀWX)δ.
    const moved = first ? undefined : multiplyRows(rows, solved);
    const length = moved
      ? Math.sqrt(moved.reduce((sum, value, i) => sum + information[i] * value * value, 0))
      : Number.POSITIVE_INFINITY;
    if (converged) break;
    converged = length < 1e-7;
  }
  return { working: working as LeastSquares, coefficients, eta, deviance, iterations, converged };
}

function totalDeviance(family: Family, y: Float64Array, weights: Float64Array, eta: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < y.length; i++) sum += weights[i] * family.deviance(y[i], family.meanOf(eta[i]), eta[i]);
  return sum;
}

function pick({ columns, y, weights, offset, intercept }: GlmData, rows: number[]): GlmData {
  const part = (values: Float64Array) => Float64Array.from(rows, (i) => values[i]);
  return {
    columns: pickRows(columns, rows, y.length),
    y: part(y),
    weights: part(weights),
    offset: offset && part(offset),
    intercept,
  };
}

function pickRows(columns: readonly DesignColumn[], rows: number[], n: number): DesignColumn[] {
  const place = new Int32Array(n).fill(-1);
  for (const [k, i] of rows.entries()) place[i] = k;
  return columns.map((column) => {
    if (!column.ones) return { values: Float64Array.from(rows, (i) => column.values[i]) };
    const ones = Uint32Array.from(column.ones, (i) => place[i]).filter((k) => k !== 0xffffffff);
    return indicatorColumn(rows.length, ones);
  });
}

/** Without the perfectly predicted rows some coefficients are free to move: those have no finite estimate. */
function infiniteColumns(
  columns: readonly DesignColumn[],
  separation: Separation,
  rest: number[],
): Map<number, 1 | -1> {
  const infinite = new Map<number, 1 | -1>();
  if (separation.kind === 'none') return infinite;
  const n = separation.perfect.length;
  const everywhere = new Set(
    nullVectors(
      columns,
      n,
      Array.from(separation.perfect, (_, i) => i),
    ).flatMap(nonZero),
  );
  for (const j of new Set(nullVectors(columns, n, rest).flatMap(nonZero)))
    if (separation.direction[j] !== 0 || !everywhere.has(j)) infinite.set(j, separation.direction[j] < 0 ? -1 : 1);
  return infinite;
}

const nonZero = (vector: Float64Array): number[] => Array.from(vector.keys()).filter((j) => vector[j] !== 0);

interface Parts {
  readonly separation: Separation;
  readonly infinite: Map<number, 1 | -1>;
  readonly fit: Iteration | null;
  readonly rest: number[];
  readonly tolerance: number;
}

function assemble(data: GlmData, family: Family, { separation, infinite, fit, rest, tolerance }: Parts): Glm {
  const { columns, y, weights } = data;
  // A perfectly predicted row sits at its limit: its mean is its value, its deviance zero.
  const eta = Float64Array.from(y, (value) => (value > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY));
  const fitted = y.slice();
  let [logLikelihood, pearson] = [0, 0];
  for (const [k, i] of rest.entries()) {
    if (!fit) break;
    eta[i] = fit.eta[k];
    fitted[i] = family.meanOf(eta[i]);
    logLikelihood += family.logLikelihood(y[i], weights[i], fitted[i], eta[i]);
    pearson += (weights[i] * (y[i] - fitted[i]) ** 2) / family.slope(eta[i]);
  }
  const coefficients = new Float64Array(columns.length).fill(Number.NaN);
  for (const j of fit?.working.kept ?? []) coefficients[j] = fit?.coefficients[j] as number;
  for (const [j, sign] of infinite) coefficients[j] = sign * Number.POSITIVE_INFINITY;
  const kept = (fit?.working.kept ?? []).filter((j) => !infinite.has(j));
  return {
    family,
    coefficients,
    kept,
    aliased: columns.map((_, j) => j).filter((j) => Number.isNaN(coefficients[j])),
    infinite,
    covariance: subMatrix(fit?.working, kept),
    fitted,
    eta,
    deviance: fit?.deviance ?? 0,
    nullDeviance: nullDeviance(data, family, tolerance),
    logLikelihood,
    pearson,
    iterations: fit?.iterations ?? 0,
    converged: fit?.converged ?? true,
    separation: separation.kind,
    perfect: separation.perfect,
    working: fit?.working ?? null,
  };
}

function subMatrix(working: LeastSquares | undefined, kept: number[]): Float64Array {
  if (!working) return new Float64Array(0);
  if (kept.length === working.rank) return working.unscaled;
  const at = kept.map((j) => working.kept.indexOf(j));
  return Float64Array.from(at.flatMap((a) => at.map((b) => working.unscaled[a * working.rank + b])));
}

function nullDeviance({ y, weights, offset, intercept }: GlmData, family: Family, tolerance: number): number {
  const n = y.length;
  const ones = { values: new Float64Array(n).fill(1) };
  if (!intercept) return totalDeviance(family, y, weights, offset ?? new Float64Array(n));
  if (offset) return iterate({ columns: [ones], y, weights, offset, intercept }, family, tolerance).deviance;
  let [sum, total] = [0, 0];
  for (let i = 0; i < n; i++) {
    sum += weights[i] * y[i];
    total += weights[i];
  }
  const mean = sum / total;
  if (mean === 0 || (family.name === 'binomial' && mean === 1)) return 0;
  return totalDeviance(family, y, weights, new Float64Array(n).fill(family.linkOf(mean)));
}
