import { begin, get, integers, put, take } from './kernels/arena.ts';
import { createMask, createRaster, type Mask, type Raster } from './raster.ts';
import { type Box, type Coefficients, coefficients, type ResizeFilter } from './resize-coefficients.ts';

export type { Box, ResizeFilter } from './resize-coefficients.ts';

/** Whole pixels of the output. */
export interface Window {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Equal to Pillow's `Image.resize` on 8-bit images, byte for byte. */
export function resize(image: Raster, width: number, height: number, filter: ResizeFilter, box?: Box): Raster {
  return createRaster(width, height, resizePlane(image, 3, width, height, filter, box));
}

/** `resize` and then `crop`, without computing what is cut off; `window` lies inside the resized picture. */
export function resizeCrop(image: Raster, width: number, height: number, filter: ResizeFilter, window: Window): Raster {
  return createRaster(window.width, window.height, resample(image, 3, width, height, filter, undefined, window));
}

/** Nearest, as Pillow. */
export function resizeMask(mask: Mask, width: number, height: number): Mask {
  const data = resizePlane(mask, 1, width, height, 'nearest');
  const { ignore, soft, edges } = mask;
  const along = (plane: Uint8Array) => resizePlane({ ...mask, data: plane }, 1, width, height, 'nearest');
  return {
    ...createMask(width, height, data),
    ...(ignore && { ignore: along(ignore) }),
    ...(soft && { soft: along(soft) }),
    ...(edges && { edges }),
  };
}

/** One channel (grey pictures, soft masks) or three. */
export function resizePlane(
  source: Plane,
  channels: 1 | 3,
  width: number,
  height: number,
  filter: ResizeFilter,
  box?: Box,
): Uint8Array {
  return resample(source, channels, width, height, filter, box, { x: 0, y: 0, width, height });
}

/**
 * `resizeCrop` left in the kernels' memory, for what goes on with the pixels there: their place, good until the next
 * operation begins.
 */
export function resizeCropInside(
  image: Raster,
  width: number,
  height: number,
  filter: ResizeFilter,
  window: Window,
): number {
  return resampleInside(image, 3, width, height, filter, undefined, window);
}

function resample(
  source: Plane,
  channels: 1 | 3,
  width: number,
  height: number,
  filter: ResizeFilter,
  box: Box | undefined,
  window: Window,
): Uint8Array {
  const at = resampleInside(source, channels, width, height, filter, box, window);
  return get(at, window.width * window.height * channels);
}

function resampleInside(
  source: Plane,
  channels: 1 | 3,
  width: number,
  height: number,
  filter: ResizeFilter,
  box: Box = [0, 0, source.width, source.height],
  window: Window,
): number {
  const { x, y } = window;
  if (x < 0 || y < 0 || x + window.width > width || y + window.height > height || !(width >= 1 && height >= 1)) {
    throw new RangeError(
      `A window of ${window.width}×${window.height} at ${x}, ${y} does not lie in ${width}×${height}`,
    );
  }
  const [left, top, right, bottom] = box.map(Math.fround);
  const keepsColumns = width === source.width && left === 0 && right === source.width;
  const keepsRows = height === source.height && top === 0 && bottom === source.height;
  if (filter === 'nearest' || (keepsColumns && keepsRows)) {
    return nearest(
      source,
      channels,
      sourceIndices(width, left, right, source.width).subarray(window.x, window.x + window.width),
      sourceIndices(height, top, bottom, source.height).subarray(window.y, window.y + window.height),
    );
  }
  const columns = keepsColumns ? undefined : coefficients(filter, source.width, left, right, width);
  const rows = keepsRows ? undefined : coefficients(filter, source.height, top, bottom, height);
  return twoPasses(source, channels, columns, rows, window);
}

function twoPasses(
  source: Plane,
  channels: 1 | 3,
  columns: Coefficients | undefined,
  rows: Coefficients | undefined,
  window: Window,
): number {
  const kernel = begin();
  // Source rows that the window's rows are made of.
  const across = rows && partOf(rows, window.y, window.height);
  const firstRow = across ? across.least : window.y;
  const endRow = across ? Math.min(source.height, across.most + 2 * across.pairs) : window.y + window.height;
  const count = endRow - firstRow;
  const sourceStride = source.width * channels;
  const stride = window.width * channels;
  const spareRows = across ? Math.max(0, 2 * across.pairs - count) : 0;
  const strip = source.data.subarray(firstRow * sourceStride, endRow * sourceStride);

  let from: number;
  let skip = 0;
  let fromStride = sourceStride;
  if (columns) {
    const { pairs, first, weights } = partOf(columns, window.x, window.width);
    const spareColumns = Math.max(0, 2 * pairs - source.width) * channels;
    const at = put(strip, spareColumns);
    const offsets = take(first.length * 4);
    const steps = integers(offsets, first.length);
    for (let i = 0; i < first.length; i++) steps[i] = first[i] * channels;
    const weightsAt = put(weights);
    from = take(stride * count, stride * spareRows);
    fromStride = stride;
    const pass = channels === 3 ? kernel.resampleColumns3 : kernel.resampleColumns1;
    pass(at, sourceStride, from, stride, count, window.width, offsets, pairs, weightsAt);
  } else {
    from = put(strip, sourceStride * spareRows);
    skip = window.x * channels;
  }
  if (!across) return from + skip;

  const firsts = take(across.first.length * 4);
  const starts = integers(firsts, across.first.length);
  for (let i = 0; i < starts.length; i++) starts[i] = across.first[i] - firstRow;
  const weightsAt = put(across.weights);
  const out = take(stride * window.height);
  kernel.resampleRows(from + skip, fromStride, out, stride, window.height, firsts, across.pairs, weightsAt);
  return out;
}

/** One direction of a window: its own part of the tables, and the least and most of its first pixels. */
function partOf({ pairs, first: all, weights }: Coefficients, from: number, length: number) {
  const first = all.subarray(from, from + length);
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i < first.length; i++) {
    if (first[i] < least) least = first[i];
    if (first[i] > most) most = first[i];
  }
  return { pairs, first, weights: weights.subarray(from * pairs * 4, (from + length) * pairs * 4), least, most };
}

/** Pillow adds up the step rather than multiplying it, which decides ties. */
function sourceIndices(size: number, from: number, to: number, sourceSize: number): Int32Array {
  const step = Math.fround(to - from) / size;
  const indices = new Int32Array(size);
  let at = from + step * 0.5;
  for (let i = 0; i < size; i++, at += step) indices[i] = Math.min(sourceSize - 1, Math.trunc(at));
  return indices;
}

function nearest(source: Plane, channels: 1 | 3, columns: Int32Array, rows: Int32Array): number {
  const { pick } = begin();
  const length = columns.length * rows.length * channels;
  const from = put(source.data);
  const to = take(length);
  const rowOffsets = put(rows.map((y) => y * source.width * channels));
  const columnOffsets = put(columns.map((x) => x * channels));
  pick(from, to, rows.length, rowOffsets, columns.length, columnOffsets, channels);
  return to;
}
