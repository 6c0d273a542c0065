import { mirror } from './border.ts';

const { fround } = Math;

/** A square kernel of odd side, row after row. */
export interface Kernel {
  readonly side: number;
  readonly weights: Float64Array;
}

/**
 * An evenly filled disk, its rim softened by a small Gaussian (3 × 3 up to a radius of 8, then 5 × 5), in the single
 * precision of the original. The rim is mirrored at the kernel's edge, where a disk of radius 8 or more touches it.
 */
export function diskKernel(radiusPx: number, rimSigmaPx: number): Kernel {
  const extent = Math.max(8, radiusPx);
  const side = 2 * extent + 1;
  const inside = Float64Array.from({ length: side * side }, (_, i) => {
    const x = (i % side) - extent;
    const y = Math.floor(i / side) - extent;
    return x * x + y * y <= radiusPx * radiusPx ? 1 : 0;
  });
  const area = inside.reduce((sum, value) => sum + value, 0);
  const disk = inside.map((value) => fround(value / area));
  const rim = gaussianTaps(radiusPx <= 8 ? 1 : 2, rimSigmaPx);
  return { side, weights: alongColumns(alongRows(disk, side, rim), side, rim) };
}

function gaussianTaps(radius: number, sigma: number): number[] {
  const taps = Array.from({ length: 2 * radius + 1 }, (_, i) => Math.exp(-((i - radius) ** 2) / (2 * sigma * sigma)));
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => fround(tap / sum));
}

/** In OpenCV's order: the middle, then pairs outwards, each step in single precision. */
function alongRows(values: Float64Array, side: number, taps: number[]): Float64Array {
  const radius = (taps.length - 1) / 2;
  return values.map((middle, i) => {
    const x = i % side;
    const row = i - x;
    let sum = fround(middle * taps[radius]);
    for (let k = 1; k <= radius; k++) {
      const pair = fround(values[row + mirror(x - k, side)] + values[row + mirror(x + k, side)]);
      sum = fround(sum + fround(pair * taps[radius + k]));
    }
    return sum;
  });
}

function alongColumns(values: Float64Array, side: number, taps: number[]): Float64Array {
  const transposed = (source: Float64Array) => source.map((_, i) => source[(i % side) * side + Math.floor(i / side)]);
  return transposed(alongRows(transposed(values), side, taps));
}
