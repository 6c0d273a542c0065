import type { Preprocessing } from '../../contracts/model-record.ts';
import { geometryFor } from './preprocess.ts';

/**
 * Where the pixels of a variant lie in a network's output grid, per axis. Positions are pixel centres, as with PyTorch's
 * `interpolate(align_corners=False)`; −1: outside what the network was shown.
 */
export interface AxisMap {
  readonly low: Int32Array;
  readonly high: Int32Array;
  /** Weight of `high`. */
  readonly share: Float32Array;
  /** The grid cell a pixel's centre falls into. */
  readonly nearest: Int32Array;
}

export interface GridMap {
  readonly columns: AxisMap;
  readonly rows: AxisMap;
}

/** Follows the preprocessing backwards: pad, resize and crop undone. */
export function gridMap(
  preprocessing: Preprocessing,
  size: { readonly width: number; readonly height: number },
  grid: { readonly width: number; readonly height: number },
): GridMap {
  const side = Math.max(size.width, size.height);
  const padded = preprocessing.padToSquare ? { width: side, height: side } : size;
  const shown = geometryFor(preprocessing, padded.width, padded.height);
  return {
    columns: axisMap({
      length: size.width,
      offset: Math.floor((padded.width - size.width) / 2),
      scale: shown.width / padded.width,
      start: shown.left,
      shown: shown.cropWidth,
      cells: grid.width,
    }),
    rows: axisMap({
      length: size.height,
      offset: Math.floor((padded.height - size.height) / 2),
      scale: shown.height / padded.height,
      start: shown.top,
      shown: shown.cropHeight,
      cells: grid.height,
    }),
  };
}

interface Axis {
  readonly length: number;
  readonly offset: number;
  readonly scale: number;
  readonly start: number;
  readonly shown: number;
  readonly cells: number;
}

function axisMap({ length, offset, scale, start, shown, cells }: Axis): AxisMap {
  const low = new Int32Array(length);
  const high = new Int32Array(length);
  const share = new Float32Array(length);
  const nearest = new Int32Array(length);
  for (let i = 0; i < length; i++) {
    const inCrop = (i + offset + 0.5) * scale - start;
    if (inCrop < 0 || inCrop >= shown) {
      low[i] = high[i] = nearest[i] = -1;
      continue;
    }
    const position = (inCrop / shown) * cells;
    nearest[i] = Math.min(cells - 1, Math.floor(position));
    const at = Math.max(0, position - 0.5);
    low[i] = Math.min(cells - 1, Math.floor(at));
    high[i] = Math.min(cells - 1, low[i] + 1);
    share[i] = at - Math.floor(at);
  }
  return { low, high, share, nearest };
}

/** Bilinear values of one channel at the variant's size; `outside` where the network saw nothing. */
export function stretch(
  plane: Float32Array,
  gridWidth: number,
  { columns, rows }: GridMap,
  outside: number,
): Float32Array {
  const width = columns.low.length;
  const height = rows.low.length;
  const out = new Float32Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    const top = rows.low[y] * gridWidth;
    const bottom = rows.high[y] * gridWidth;
    const down = rows.share[y];
    for (let x = 0; x < width; x++, at++) {
      const left = columns.low[x];
      if (top < 0 || left < 0) {
        out[at] = outside;
        continue;
      }
      const right = columns.high[x];
      const across = columns.share[x];
      const upper = plane[top + left] + (plane[top + right] - plane[top + left]) * across;
      const lower = plane[bottom + left] + (plane[bottom + right] - plane[bottom + left]) * across;
      out[at] = upper + (lower - upper) * down;
    }
  }
  return out;
}
