import { expected } from '../contracts/errors.ts';
import { reflectedIndices } from './border.ts';
import { begin, get, put, take } from './kernels/arena.ts';
import { createRaster, type Raster } from './raster.ts';

/** Weights row by row; the middle pixel, rounded down to the right and bottom for even sides, is the anchor. */
export interface FilterKernel {
  readonly width: number;
  readonly height: number;
  readonly weights: ArrayLike<number>;
}

/**
 * Correlation with any kernel on bytes, border mirrored without its edge pixel: OpenCV's `filter2D`, within a level
 * (OpenCV adds in another order, and goes through a Fourier transform for large kernels).
 */
export function filter2d(image: Raster, { width: kernelWidth, height: kernelHeight, weights }: FilterKernel): Raster {
  const { width, height } = image;
  const left = kernelWidth >> 1;
  const top = kernelHeight >> 1;
  const padded = withBorder(image, left, kernelWidth - 1 - left, top, kernelHeight - 1 - top);
  const stride = (width + kernelWidth - 1) * 3;
  const taps = new DataView(new ArrayBuffer(kernelWidth * kernelHeight * 8));
  let count = 0;
  for (let i = 0; i < kernelWidth * kernelHeight; i++) {
    if (weights[i] === 0) continue;
    const x = i % kernelWidth;
    taps.setUint32(count * 8, ((i - x) / kernelWidth) * stride + x * 3, true);
    taps.setFloat32(count * 8 + 4, weights[i], true);
    count++;
  }
  const { correlate } = begin();
  const source = put(padded);
  const target = take(image.data.length);
  correlate(source, stride, target, width * 3, height, put(taps), count);
  return createRaster(width, height, get(target, image.data.length));
}

/** Mean over a square of odd side: OpenCV's `blur`. Its time does not depend on the side. */
export function boxBlur(image: Raster, { kernel }: { kernel: number }): Raster {
  if (!Number.isInteger(kernel) || kernel < 1 || kernel % 2 === 0) throw expected('an odd number', 'kernel', kernel);
  const { width, height, data } = image;
  const radius = kernel >> 1;
  const stride = width * 3;
  const columns = reflectedIndices(width, radius).map((x) => x * 3);
  const rows = reflectedIndices(height, radius).map((y) => y * stride);
  const sums = new Int32Array(stride);
  const addRow = (from: number, sign: 1 | -1) => {
    for (let x = 0; x < stride; x++) sums[x] += sign * data[from + x];
  };
  for (let k = 0; k < kernel - 1; k++) addRow(rows[k], 1);
  const out = createRaster(width, height);
  // An odd area has no ties, so that adding half of it rounds as OpenCV does.
  const count = kernel * kernel;
  const half = count >> 1;
  for (let y = 0; y < height; y++) {
    addRow(rows[y + kernel - 1], 1);
    for (let c = 0; c < 3; c++) {
      let sum = half;
      for (let k = 0; k < kernel - 1; k++) sum += sums[columns[k] + c];
      for (let x = 0; x < width; x++) {
        sum += sums[columns[x + kernel - 1] + c];
        out.data[y * stride + x * 3 + c] = sum / count;
        sum -= sums[columns[x] + c];
      }
    }
    addRow(rows[y], -1);
  }
  return out;
}

function withBorder({ width, height, data }: Raster, left: number, right: number, top: number, bottom: number) {
  const columns = reflectedIndices(width, left, right);
  const rows = reflectedIndices(height, top, bottom);
  const stride = columns.length * 3;
  const out = new Uint8Array(stride * rows.length);
  for (let y = 0; y < rows.length; y++) {
    const from = rows[y] * width * 3;
    out.set(data.subarray(from, from + width * 3), y * stride + left * 3);
    const copy = (x: number) => {
      for (let c = 0; c < 3; c++) out[y * stride + x * 3 + c] = data[from + columns[x] * 3 + c];
    };
    for (let x = 0; x < left; x++) copy(x);
    for (let x = left + width; x < columns.length; x++) copy(x);
  }
  return out;
}
