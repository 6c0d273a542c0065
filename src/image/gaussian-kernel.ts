import { expected } from '../contracts/errors.ts';

/** σ that OpenCV takes for a kernel of `size` when none is given. */
const autoSigma = (size: number) => ((size - 1) * 0.5 - 1) * 0.3 + 0.8;

const fixedKernels = new Map<number, number[]>([
  [1, [1]],
  [3, [0.25, 0.5, 0.25]],
  [5, [0.0625, 0.25, 0.375, 0.25, 0.0625]],
  [7, [0.03125, 0.109375, 0.21875, 0.28125, 0.21875, 0.109375, 0.03125]],
  [9, [4, 13, 30, 51, 60, 51, 30, 13, 4].map((v) => v / 256)],
]);

/** Weights that add up to one, as OpenCV's `getGaussianKernel`; sizes up to 9 have fixed weights where σ is 0. */
function gaussianKernel(size: number, sigma: number): Float64Array {
  const fixed = sigma <= 0 ? fixedKernels.get(size) : undefined;
  if (fixed) return Float64Array.from(fixed);
  const s = sigma > 0 ? sigma : autoSigma(size);
  const scale = -0.5 / (s * s);
  const kernel = Float64Array.from({ length: size }, (_, i) => {
    const x = i - (size - 1) * 0.5;
    return Math.exp(scale * x * x);
  });
  const sum = kernel.reduce((total, v) => total + v, 0);
  return kernel.map((v) => v / sum);
}

/** The kernel in 1/256, rounded with the error carried on so that it still adds up to 256; what OpenCV uses on bytes. */
export function gaussianKernelFixed(size: number, sigma: number): Uint16Array {
  if (!Number.isInteger(size) || size < 1 || size % 2 === 0) throw expected('an odd number', 'kernel', size);
  const kernel = gaussianKernel(size, sigma);
  const out = new Uint16Array(size);
  let error = 0;
  for (let i = 0; i < size >> 1; i++) {
    const exact = kernel[i] * 256 + error;
    const rounded = Math.round(exact);
    error = exact - rounded;
    out[i] = out[size - 1 - i] = rounded;
  }
  out[size >> 1] = 256 - 2 * out.subarray(0, size >> 1).reduce((total, v) => total + v, 0);
  return out;
}
