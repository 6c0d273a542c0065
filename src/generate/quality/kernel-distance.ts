import type { Random } from '../../contracts/random.ts';
import { percentileInterval } from '../../stats/bootstrap.ts';
import type { Interval } from '../../stats/proportion.ts';
import type { Features } from './features.ts';

/** (x·y / dims + 1)³, the kernel of Bińkowski et al. (2018). */
function kernelOf(a: Features, b: Features): Float64Array {
  const { dims } = a;
  const result = new Float64Array(a.rows * b.rows);
  for (let i = 0; i < a.rows; i++)
    for (let j = 0; j < b.rows; j++) {
      let dot = 0;
      for (let k = 0; k < dims; k++) dot += a.data[i * dims + k] * b.data[j * dims + k];
      result[i * b.rows + j] = (dot / dims + 1) ** 3;
    }
  return result;
}

export interface KernelDistance {
  /** Unbiased: about zero, at times below, for two sets of one kind. */
  readonly estimate: number;
  /** From halves of the pictures, drawn without replacement. */
  readonly ci: Interval;
}

/** KID: the squared maximum mean discrepancy of two sets of features, unbiased at any size of the sets. */
export function kernelDistance(
  a: Features,
  b: Features,
  { random, draws = 200 }: { random: Random; draws?: number },
): KernelDistance {
  const kernels = { aa: kernelOf(a, a), bb: kernelOf(b, b), ab: kernelOf(a, b) };
  const every = (n: number) => Array.from({ length: n }, (_, i) => i);
  const of = (rowsA: readonly number[], rowsB: readonly number[]) =>
    within(kernels.aa, a.rows, rowsA) +
    within(kernels.bb, b.rows, rowsB) -
    2 * across(kernels.ab, b.rows, rowsA, rowsB);
  const estimate = of(every(a.rows), every(b.rows));
  // Half-samples without replacement scatter about the estimate as it scatters about the truth (1/(n/2) − 1/n = 1/n);
  // drawing with replacement would put equal pictures into one sum.
  const half = (n: number) => random.shuffle(every(n)).slice(0, Math.max(2, n >> 1));
  const halves = Array.from({ length: draws }, () => of(half(a.rows), half(b.rows)));
  return { estimate, ci: percentileInterval(halves) };
}

function within(kernel: Float64Array, stride: number, rows: readonly number[]): number {
  let sum = 0;
  for (const i of rows) for (const j of rows) if (i !== j) sum += kernel[i * stride + j];
  return sum / (rows.length * (rows.length - 1));
}

function across(kernel: Float64Array, stride: number, rowsA: readonly number[], rowsB: readonly number[]): number {
  let sum = 0;
  for (const i of rowsA) for (const j of rowsB) sum += kernel[i * stride + j];
  return sum / (rowsA.length * rowsB.length);
}
