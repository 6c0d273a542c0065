import { begin, doubles, filled, put, take } from '../kernels/arena.ts';
import { createMask, type Raster } from '../raster.ts';
import { resize, resizePlane } from '../resize.ts';
import { solveGrid } from './conjugate-gradients.ts';

export interface ClosedFormOptions {
  /** Regularises colours that hardly vary, in squares of the range 0 to 1. */
  readonly epsilon?: number;
  readonly tolerance?: number;
  readonly iterations?: number;
}

/** A 5 × 5 neighbourhood reaches every pixel that shares a 3 × 3 window. */
const side = 5;

/**
 * How much of each uncertain pixel is object: the closed-form solution of Levin, Lischinski and Weiss (2008, IEEE TPAMI 30,
 * 228; equation 12 with 3 × 3 windows), the sure pixels being fixed. `alpha` is 0 or 1 where sure; the uncertain ones are
 * written into it.
 */
export function solveAlpha(
  { width, height, data }: Raster,
  alpha: Float64Array,
  uncertain: Uint8Array,
  { epsilon = 1e-5, tolerance = 1e-3, iterations = 400 }: ClosedFormOptions = {},
): void {
  const stride = width + 4;
  const size = stride * (height + 4);
  const kernel = begin();
  const image = put(data);
  const marked = put(uncertain);
  const rowOf = take(width * height * 4);
  const places = take(width * height * 4 + 4);
  const grid = filled(size * 8, 0);
  const scratch = take(82 * 8);
  const unknowns = kernel.matteNumber(marked, width, height, rowOf, places);
  const weights = filled(unknowns * side * side * 4, 0);
  const values = doubles(grid, size);
  for (let y = 0; y < height; y++) values.set(alpha.subarray(y * width, (y + 1) * width), (y + 2) * stride + 2);
  kernel.matteWindows(image, width, height, epsilon, rowOf, weights, scratch);
  solveGrid(kernel, { stride, unknowns, places, weights, grid, size }, { tolerance, iterations });
  const solved = put(alpha);
  kernel.matteTake(marked, width, height, grid, solved);
  alpha.set(doubles(solved, alpha.length));
}

/** A smaller picture and what is sure in it: pixels whose whole area is. */
export function reduceTrimap(image: Raster, alpha: Float64Array, uncertain: Uint8Array, width: number, height: number) {
  const plane = createMask(image.width, image.height);
  for (let i = 0; i < alpha.length; i++) plane.data[i] = uncertain[i] ? 128 : alpha[i] >= 0.5 ? 255 : 0;
  const levels = resizePlane(plane, 1, width, height, 'box');
  const unsure = new Uint8Array(levels.length);
  const start = new Float64Array(levels.length);
  for (let i = 0; i < levels.length; i++) {
    unsure[i] = levels[i] === 0 || levels[i] === 255 ? 0 : 255;
    start[i] = levels[i] / 255;
  }
  return { image: resize(image, width, height, 'box'), alpha: start, uncertain: unsure };
}
