/** A convex function to be minimised, evaluated at its current point. */
export interface Problem {
  readonly size: number;
  /** Value at the point, and its gradient. */
  evaluate(gradient: Float64Array): number;
  /** The function along a direction from the current point. */
  along(direction: Float64Array): Line;
  /** Multiplies by a guess of the inverse second derivative, in place. */
  precondition?(vector: Float64Array): void;
}

export interface Line {
  /** First and second derivative after a step of length t. */
  derivatives(t: number): { slope: number; curvature: number };
  /** Moves the point by t. */
  move(t: number): void;
}

export interface MinimiseOptions {
  /** Steps remembered. */
  readonly memory?: number;
  /** Ends when no component of the gradient is larger. */
  readonly tolerance?: number;
  readonly maxIterations?: number;
  /** Told the value before the first step and after each. */
  readonly onIteration?: (iteration: number, value: number) => void;
}

export interface Minimum {
  readonly value: number;
  readonly iterations: number;
  /** Largest component of the gradient. */
  readonly gradient: number;
  readonly converged: boolean;
}

/** Limited-memory BFGS (Nocedal and Wright, 2006, algorithm 7.5), its first guess preconditioned. No randomness: same input, same result. */
export function minimise(problem: Problem, options: MinimiseOptions = {}): Minimum {
  const { memory = 10, tolerance = 1e-8, maxIterations = 1000, onIteration } = options;
  const { size } = problem;
  let gradient = new Float64Array(size);
  let value = problem.evaluate(gradient);
  onIteration?.(0, value);
  const steps: { step: Float64Array; change: Float64Array; product: number }[] = [];
  for (let iteration = 0; ; iteration++) {
    const largest = largestOf(gradient);
    const converged = largest <= tolerance;
    if (converged || iteration === maxIterations) return { value, iterations: iteration, gradient: largest, converged };
    const direction = descent(gradient, steps, problem);
    const start = dot(gradient, direction);
    const line = problem.along(direction);
    const t = start < 0 ? lineMinimum(line, start) : 0;
    // No step lowers the value any more: what is left is rounding error.
    if (!(t > 0)) return { value, iterations: iteration, gradient: largest, converged: false };
    line.move(t);
    const next = new Float64Array(size);
    value = problem.evaluate(next);
    onIteration?.(iteration + 1, value);
    const step = direction.map((entry) => t * entry);
    const change = next.map((entry, i) => entry - gradient[i]);
    const product = dot(step, change);
    if (product > 0) {
      if (steps.length === memory) steps.shift();
      steps.push({ step, change, product });
    }
    gradient = next;
  }
}

/** The two loops: the gradient times the inverse second derivative as the last steps show it. */
function descent(
  gradient: Float64Array,
  steps: readonly { step: Float64Array; change: Float64Array; product: number }[],
  problem: Problem,
): Float64Array {
  const q = gradient.map((entry) => -entry);
  const shares = new Float64Array(steps.length);
  for (let i = steps.length - 1; i >= 0; i--) {
    const { step, change, product } = steps[i];
    shares[i] = dot(step, q) / product;
    add(q, change, -shares[i]);
  }
  if (problem.precondition) {
    problem.precondition(q);
    const last = steps.at(-1);
    if (last) {
      const scaled = last.change.slice();
      problem.precondition(scaled);
      const scale = last.product / dot(last.change, scaled);
      for (let i = 0; i < q.length; i++) q[i] *= scale;
    }
  } else {
    const last = steps.at(-1);
    const scale = last ? last.product / dot(last.change, last.change) : 1;
    for (let i = 0; i < q.length; i++) q[i] *= scale;
  }
  for (const [i, { step, change, product }] of steps.entries()) add(q, step, shares[i] - dot(change, q) / product);
  return q;
}

/**
 * Where a convex function stops falling along a line: Newton's steps kept inside the bracket, until the slope has lost
 * nine tenths. Looks at slopes alone, which stay exact where differences of values drown in rounding.
 */
function lineMinimum(line: Line, start: number): number {
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  let { slope, curvature } = line.derivatives(0);
  let t = curvature > 0 ? -slope / curvature : 1;
  for (let tries = 0; tries < 60; tries++) {
    ({ slope, curvature } = line.derivatives(t));
    if (Math.abs(slope) <= 0.1 * Math.abs(start)) return t;
    if (slope < 0) low = t;
    else high = t;
    const newton = curvature > 0 ? t - slope / curvature : Number.NaN;
    if (newton > low && newton < high) t = newton;
    else t = high === Number.POSITIVE_INFINITY ? 2 * t : (low + high) / 2;
    if (t === low || t === high) return low;
  }
  return low;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function add(to: Float64Array, from: Float64Array, factor: number): void {
  for (let i = 0; i < to.length; i++) to[i] += factor * from[i];
}

function largestOf(values: Float64Array): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  return largest;
}
