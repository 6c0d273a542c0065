import { reflectedIndices } from './border.ts';
import { gaussianKernelFixed } from './gaussian-kernel.ts';
import { createRaster, type Raster } from './raster.ts';

export interface BlurOptions {
  /** Odd side of the kernel in pixels. */
  kernel: number;
  /** Standard deviation in pixels; 0: what OpenCV takes for the kernel. */
  sigma: number;
}

/** OpenCV's `GaussianBlur` on bytes, border reflected without its edge pixel. */
export function gaussianBlur(image: Raster, { sigma, kernel }: BlurOptions): Raster {
  const { width, height, data } = image;
  const weights = gaussianKernelFixed(kernel, sigma);
  const radius = kernel >> 1;
  const columns = reflectedIndices(width, radius);
  const rows = reflectedIndices(height, radius);
  const between = new Uint16Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let k = 0; k < kernel; k++) sum += data[(y * width + columns[x + k]) * 3 + c] * weights[k];
        between[(y * width + x) * 3 + c] = sum;
      }
    }
  }
  const out = createRaster(width, height);
  const stride = width * 3;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < stride; x++) {
      let sum = 0;
      for (let k = 0; k < kernel; k++) sum += between[rows[y + k] * stride + x] * weights[k];
      out.data[y * stride + x] = (sum + 32768) >>> 16;
    }
  }
  return out;
}
