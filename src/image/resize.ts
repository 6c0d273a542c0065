import { createMask, createRaster, type Mask, type Raster } from './raster.ts';
import { type Box, type Coefficients, coefficients, type ResizeFilter } from './resize-coefficients.ts';

export type { Box, ResizeFilter } from './resize-coefficients.ts';

/** Equal to Pillow's `Image.resize` on 8-bit images, byte for byte. */
export function resize(image: Raster, width: number, height: number, filter: ResizeFilter, box?: Box): Raster {
  return createRaster(width, height, resizePlane(image, 3, width, height, filter, box));
}

/** Nearest, as Pillow. */
export function resizeMask(mask: Mask, width: number, height: number): Mask {
  const data = resizePlane(mask, 1, width, height, 'nearest');
  if (!mask.ignore) return createMask(width, height, data);
  const ignore = resizePlane({ ...mask, data: mask.ignore }, 1, width, height, 'nearest');
  return { width, height, data, ignore };
}

/** One channel (grey pictures, soft masks), or any number interleaved. */
export function resizePlane(
  source: { width: number; height: number; data: Uint8Array },
  channels: number,
  width: number,
  height: number,
  filter: ResizeFilter,
  box: Box = [0, 0, source.width, source.height],
): Uint8Array {
  const [left, top, right, bottom] = box;
  const whole = left === 0 && top === 0 && right === source.width && bottom === source.height;
  if (whole && width === source.width && height === source.height) return source.data.slice();
  if (filter === 'nearest') return nearest(source, channels, width, height, box);
  const needsColumns = width !== source.width || left !== 0 || right !== source.width;
  const needsRows = height !== source.height || top !== 0 || bottom !== source.height;
  let data = source.data;
  if (needsColumns) {
    const columns = coefficients(filter, source.width, left, right, width);
    data = resampleColumns(data, source.width, source.height, channels, width, columns);
  }
  if (needsRows) {
    const rows = coefficients(filter, source.height, top, bottom, height);
    data = resampleRows(data, width * channels, height, rows);
  }
  return data === source.data ? data.slice() : data;
}

const clip = (v: number) => (v < 0 ? 0 : v > 255 ? 255 : v);
const half = 1 << 21;

function resampleColumns(
  data: Uint8Array,
  sourceWidth: number,
  height: number,
  channels: number,
  width: number,
  { taps, first, size, weights }: Coefficients,
): Uint8Array {
  const out = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < channels; c++) {
        let sum = half;
        let at = (y * sourceWidth + first[x]) * channels + c;
        for (let k = x * taps; k < x * taps + size[x]; k++, at += channels) sum += data[at] * weights[k];
        out[(y * width + x) * channels + c] = clip(sum >> 22);
      }
    }
  }
  return out;
}

function resampleRows(
  data: Uint8Array,
  stride: number,
  height: number,
  { taps, first, size, weights }: Coefficients,
): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < stride; x++) {
      let sum = half;
      let at = first[y] * stride + x;
      for (let k = y * taps; k < y * taps + size[y]; k++, at += stride) sum += data[at] * weights[k];
      out[y * stride + x] = clip(sum >> 22);
    }
  }
  return out;
}

/** Pillow adds up the step rather than multiplying it, which decides ties. */
function sourceIndices(size: number, from: number, to: number, sourceSize: number): Int32Array {
  const step = Math.fround(Math.fround(to) - Math.fround(from)) / size;
  const indices = new Int32Array(size);
  let at = from + step * 0.5;
  for (let i = 0; i < size; i++, at += step) indices[i] = at < 0 || at >= sourceSize ? -1 : Math.trunc(at);
  return indices;
}

function nearest(
  source: { width: number; height: number; data: Uint8Array },
  channels: number,
  width: number,
  height: number,
  [left, top, right, bottom]: Box,
): Uint8Array {
  const out = new Uint8Array(width * height * channels);
  const columns = sourceIndices(width, left, right, source.width);
  const rows = sourceIndices(height, top, bottom, source.height);
  for (let y = 0; y < height; y++) {
    if (rows[y] < 0) continue;
    for (let x = 0; x < width; x++) {
      if (columns[x] < 0) continue;
      const from = (rows[y] * source.width + columns[x]) * channels;
      for (let c = 0; c < channels; c++) out[(y * width + x) * channels + c] = source.data[from + c];
    }
  }
  return out;
}
