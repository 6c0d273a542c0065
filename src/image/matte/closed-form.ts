import { createMask, type Raster } from '../raster.ts';
import { resize, resizePlane } from '../resize.ts';
import { solveGrid } from './conjugate-gradients.ts';

export interface ClosedFormOptions {
  /** Regularises colours that hardly vary, in squares of the range 0 to 1. */
  readonly epsilon?: number;
  readonly tolerance?: number;
  readonly iterations?: number;
}

/** Offsets of a 5 × 5 neighbourhood reach every pixel that shares a 3 × 3 window. */
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
  const rowOf = new Int32Array(width * height).fill(-1);
  const pixels: number[] = [];
  for (let i = 0; i < uncertain.length; i++) if (uncertain[i]) rowOf[i] = pixels.push(i) - 1;
  const weights = new Float32Array(pixels.length * side * side);
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++)
      if (touches(uncertain, y * width + x, width)) addWindow(data, width, x, y, epsilon, rowOf, weights);

  const stride = width + 4;
  const placeAt = (i: number) => (Math.floor(i / width) + 2) * stride + (i % width) + 2;
  const grid = new Float64Array(stride * (height + 4));
  for (let y = 0; y < height; y++) grid.set(alpha.subarray(y * width, (y + 1) * width), (y + 2) * stride + 2);
  const places = Int32Array.from(pixels, placeAt);
  solveGrid({ stride, places, weights }, grid, { tolerance, iterations });
  pixels.forEach((i, row) => {
    alpha[i] = Math.min(1, Math.max(0, grid[places[row]]));
  });
}

/** A smaller picture and what is sure in it: pixels whose whole area is. */
export function reduceTrimap(image: Raster, alpha: Float64Array, uncertain: Uint8Array, width: number, height: number) {
  const plane = createMask(image.width, image.height);
  for (let i = 0; i < alpha.length; i++) plane.data[i] = uncertain[i] ? 128 : alpha[i] >= 0.5 ? 255 : 0;
  const levels = resizePlane(plane, 1, width, height, 'box');
  const unsure = levels.map((level) => (level === 0 || level === 255 ? 0 : 255));
  const start = Float64Array.from(levels, (level) => level / 255);
  return { image: resize(image, width, height, 'box'), alpha: start, uncertain: unsure };
}

function touches(uncertain: Uint8Array, centre: number, width: number): boolean {
  for (let row = centre - width; row <= centre + width; row += width)
    if (uncertain[row - 1] || uncertain[row] || uncertain[row + 1]) return true;
  return false;
}

const colours = new Float64Array(27);
const inverse = new Float64Array(9);
const turned = new Float64Array(27);

/** Where pixel j of a window stands among the 5 × 5 neighbours of its pixel i: `placeOf[i] + stepOf[j]`. */
const placeOf = Int32Array.from({ length: 9 }, (_, i) => (2 - Math.floor(i / 3)) * side + (2 - (i % 3)));
const stepOf = Int32Array.from({ length: 9 }, (_, j) => Math.floor(j / 3) * side + (j % 3));

/** Adds δ_ij − (1 + (I_i − μ)ᵀ (Σ + ε/9)⁻¹ (I_j − μ)) / 9 for the pixels i, j of one window, uncertain i alone. */
function addWindow(
  data: Uint8Array,
  width: number,
  x: number,
  y: number,
  epsilon: number,
  rowOf: Int32Array,
  weights: Float32Array,
): void {
  invertCovariance(data, width, x, y, epsilon);
  for (let j = 0; j < 27; j += 3) {
    const r = colours[j];
    const g = colours[j + 1];
    const b = colours[j + 2];
    turned[j] = inverse[0] * r + inverse[1] * g + inverse[2] * b;
    turned[j + 1] = inverse[3] * r + inverse[4] * g + inverse[5] * b;
    turned[j + 2] = inverse[6] * r + inverse[7] * g + inverse[8] * b;
  }
  const first = (y - 1) * width + x - 1;
  for (let i = 0; i < 9; i++) {
    const row = rowOf[first + (i < 3 ? i : i < 6 ? width + i - 3 : 2 * width + i - 6)];
    if (row < 0) continue;
    const r = colours[i * 3] / 9;
    const g = colours[i * 3 + 1] / 9;
    const b = colours[i * 3 + 2] / 9;
    const at = row * side * side + placeOf[i];
    for (let j = 0; j < 9; j++)
      weights[at + stepOf[j]] -= 1 / 9 + r * turned[j * 3] + g * turned[j * 3 + 1] + b * turned[j * 3 + 2];
    weights[row * side * side + ((side * side) >> 1)] += 1;
  }
}

/** The window's colours less their mean, and the inverse of their regularised covariance, by cofactors. */
function invertCovariance(data: Uint8Array, width: number, x: number, y: number, epsilon: number): void {
  let mr = 0;
  let mg = 0;
  let mb = 0;
  for (let v = 0, k = 0; v < 3; v++) {
    let from = ((y - 1 + v) * width + x - 1) * 3;
    for (const end = from + 9; from < end; from += 3, k += 3) {
      mr += colours[k] = data[from] / 255;
      mg += colours[k + 1] = data[from + 1] / 255;
      mb += colours[k + 2] = data[from + 2] / 255;
    }
  }
  let rr = epsilon;
  let rg = 0;
  let rb = 0;
  let gg = epsilon;
  let gb = 0;
  let bb = epsilon;
  for (let k = 0; k < 9; k++) {
    const r = (colours[k * 3] -= mr / 9);
    const g = (colours[k * 3 + 1] -= mg / 9);
    const b = (colours[k * 3 + 2] -= mb / 9);
    rr += r * r;
    rg += r * g;
    rb += r * b;
    gg += g * g;
    gb += g * b;
    bb += b * b;
  }
  const k00 = gg * bb - gb * gb;
  const k01 = gb * rb - rg * bb;
  const k02 = rg * gb - gg * rb;
  // Sums, not means, went in: nine times the covariance, so nine times too small comes out.
  const scale = 9 / (rr * k00 + rg * k01 + rb * k02);
  inverse[0] = k00 * scale;
  inverse[1] = inverse[3] = k01 * scale;
  inverse[2] = inverse[6] = k02 * scale;
  inverse[4] = (rr * bb - rb * rb) * scale;
  inverse[5] = inverse[7] = (rb * rg - rr * gb) * scale;
  inverse[8] = (rr * gg - rg * rg) * scale;
}
