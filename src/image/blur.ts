import { reflectedIndices } from './border.ts';
import { gaussianKernelFixed } from './gaussian-kernel.ts';
import { begin, get, put, take } from './kernels/arena.ts';
import { putRegion } from './kernels/region.ts';
import { createRaster, type Raster } from './raster.ts';
import type { Region } from './region.ts';

export interface BlurOptions {
  /** Odd side of the kernel in pixels. */
  kernel: number;
  /** Standard deviation in pixels; 0: what OpenCV takes for the kernel. */
  sigma: number;
  /** Blurred pixels here, the image's own elsewhere; left out: everywhere. */
  region?: Region;
}

/** Equal to OpenCV's `GaussianBlur` on bytes, border mirrored without its edge pixel (BORDER_REFLECT_101). */
export function gaussianBlur(image: Raster, { kernel, sigma, region }: BlurOptions): Raster {
  const { width, height } = image;
  const blurred = gaussianBlurPlane(image, 3, { kernel, sigma }, region);
  return createRaster(width, height, blurred);
}

/** One channel (grey pictures, soft masks) or three; a region needs three. */
export function gaussianBlurPlane(
  image: { readonly width: number; readonly height: number; readonly data: Uint8Array },
  channels: 1 | 3,
  { kernel: side, sigma }: BlurOptions,
  region?: Region,
): Uint8Array {
  const { width, height, data } = image;
  const weights = withoutZeroEnds(gaussianKernelFixed(side, sigma));
  const radius = weights.length >> 1;
  const stride = width * channels;
  const { blend, gaussianBlur: run } = begin();
  const source = put(data);
  const rowOffsets = put(reflectedIndices(height, radius, radius + 2).map((y) => y * stride));
  const columns = reflectedIndices(width, radius).map((x) => x * channels);
  const borders = put(Int32Array.of(...columns.subarray(0, radius), ...columns.subarray(width + radius)));
  const fromCentre = put(weights.slice(radius));
  // Rows go in pairs: an even output row begins with a pair's first row, an odd one with its second.
  const pairs = put(Int16Array.of(...weights, 0, 0, ...weights));
  const paddedBytes = (stride + 2 * radius * channels + 31) & ~15;
  const pairBytes = ((stride + 7) >> 3) << 5;
  const scratch = take(2 * paddedBytes + (radius + 1) * pairBytes);
  const target = take(data.length);
  run(source, stride, height, channels, radius, rowOffsets, borders, fromCentre, pairs, scratch, target);
  if (region) {
    const [mask, invert] = putRegion(region, width * height);
    // Where the region is not, the image's own pixels come back.
    blend(target, source, mask, invert ^ 255, width * height);
  }
  return get(target, data.length);
}

/** A kernel far wider than its σ is nothing but zeros at its ends, in fixed point: they change no pixel and take time. */
function withoutZeroEnds(weights: Uint16Array): Uint16Array {
  const zeros = weights.findIndex((weight) => weight !== 0);
  return zeros > 0 ? weights.subarray(zeros, weights.length - zeros) : weights;
}
