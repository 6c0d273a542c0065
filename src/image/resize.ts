import { begin, get, kernels, put, take } from './kernels/arena.ts';
import { createMask, createRaster, type Mask, type Raster } from './raster.ts';
import { type Plane, putRows, resampleColumns, type Window } from './resample.ts';
import { type Box, type Coefficients, coefficients, type ResizeFilter } from './resize-coefficients.ts';

import { type TensorData, type TensorLayout, type TensorTarget, writeTensor } from './tensor.ts';

export type { Box, ResizeFilter } from './resize-coefficients.ts';

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

function resample(
  source: Plane,
  channels: 1 | 3,
  width: number,
  height: number,
  filter: ResizeFilter,
  box: Box | undefined,
  window: Window,
): Uint8Array {
  const size = window.width * window.height * channels;
  const { columns, rows, picked } = passes(source, width, height, filter, box, window);
  if (picked) return get(nearest(source, channels, ...picked), size);
  const made = resampleColumns(source, channels, columns, rows, window);
  if (!made.rows) return get(made.at, size);
  const tables = putRows(made.rows);
  const out = take(size);
  kernels().resampleRows(made.at, made.stride, out, window.width * channels, window.height, ...tables);
  return get(out, size);
}

/**
 * `resizeCrop`'s picture as a tensor (see `tensor.ts`), made row by row; undefined where the picture is not resampled both ways.
 */
export function resizeCropTensor(
  image: Raster,
  [width, height]: readonly [number, number],
  filter: ResizeFilter,
  window: Window,
  tables: TensorData,
  layout: TensorLayout,
  into?: TensorTarget,
): TensorData | undefined {
  const { columns, rows } = passes(image, width, height, filter, undefined, window);
  if (!columns || !rows) return undefined;
  const made = resampleColumns(image, 3, columns, rows, window);
  if (!made.rows) return undefined;
  const parts = putRows(made.rows);
  const between = take(window.width * 3);
  const size = window.width * window.height;
  return writeTensor(size, tables, layout, into, (...spread) =>
    kernels().resampleRowsToTensor(made.at, made.stride, window.width, window.height, ...parts, between, ...spread),
  );
}

/** Which tables make a window of the resized picture; `picked`: its pixels are the source's own. */
function passes(
  source: Plane,
  width: number,
  height: number,
  filter: ResizeFilter,
  box: Box = [0, 0, source.width, source.height],
  window: Window,
): { columns?: Coefficients; rows?: Coefficients; picked?: [columns: Int32Array, rows: Int32Array] } {
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
    return {
      picked: [
        sourceIndices(width, left, right, source.width).subarray(window.x, window.x + window.width),
        sourceIndices(height, top, bottom, source.height).subarray(window.y, window.y + window.height),
      ],
    };
  }
  return {
    columns: keepsColumns ? undefined : coefficients(filter, source.width, left, right, width),
    rows: keepsRows ? undefined : coefficients(filter, source.height, top, bottom, height),
  };
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
