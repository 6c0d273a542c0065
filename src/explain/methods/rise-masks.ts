import type { Random } from '../../contracts/random.ts';

export interface RiseMask {
  /** Cells that are kept (1) or removed (0), row by row. */
  readonly cells: Uint8Array;
  /** The mask's corner in the enlarged grid. */
  readonly left: number;
  readonly top: number;
}

export interface RiseShape {
  readonly width: number;
  readonly height: number;
  /** Cells along each side. */
  readonly cells: number;
}

/** Draws one mask: cells kept with the given probability, then a shift by less than a cell (Petsiuk et al., 2018, 3.2). */
export function drawMask(random: Random, { width, height, cells }: RiseShape, keep: number): RiseMask {
  const kept = Uint8Array.from({ length: cells * cells }, () => (random.uniform() < keep ? 1 : 0));
  const top = random.integer(0, Math.ceil(height / cells) - 1);
  const left = random.integer(0, Math.ceil(width / cells) - 1);
  return { cells: kept, left, top };
}

/**
 * The mask in pixels: the grid enlarged bilinearly by (cells + 1) cell sizes and cut at the shift. Equal to
 * `skimage.transform.resize(order=1, mode='reflect')`, which the authors use.
 */
export function maskPixels(
  { cells: kept, left, top }: RiseMask,
  { width, height, cells }: RiseShape,
  out: Float32Array = new Float32Array(width * height),
): Float32Array {
  const columns = places(width, left, cells);
  const rows = places(height, top, cells);
  for (let y = 0, at = 0; y < height; y++) {
    const upper = rows.low[y] * cells;
    const lower = rows.high[y] * cells;
    const down = rows.share[y];
    for (let x = 0; x < width; x++, at++) {
      const [l, r, across] = [columns.low[x], columns.high[x], columns.share[x]];
      const above = kept[upper + l] + (kept[upper + r] - kept[upper + l]) * across;
      const below = kept[lower + l] + (kept[lower + r] - kept[lower + l]) * across;
      out[at] = above + (below - above) * down;
    }
  }
  return out;
}

function places(length: number, shift: number, cells: number) {
  const enlarged = (cells + 1) * Math.ceil(length / cells);
  const low = new Int32Array(length);
  const high = new Int32Array(length);
  const share = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    // Positions outside the outer cells' centres are mirrored at them.
    const raw = Math.abs(((i + shift + 0.5) * cells) / enlarged - 0.5);
    const at = raw > cells - 1 ? 2 * (cells - 1) - raw : raw;
    low[i] = Math.min(cells - 1, Math.floor(at));
    high[i] = Math.min(cells - 1, low[i] + 1);
    share[i] = at - low[i];
  }
  return { low, high, share };
}
