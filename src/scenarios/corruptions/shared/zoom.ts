/** Where each place of one axis comes from: `at` and the place after it, mixed by `fraction`. */
export interface ZoomAxis {
  readonly at: Int32Array;
  readonly fraction: Float64Array;
}

/**
 * The middle of an axis enlarged by `factor` and cut to its old length: `scipy.ndimage.zoom(order=1)`, whose grid runs
 * from the first sample to the last, on the middle ⌈length / factor⌉ samples.
 */
export function zoomAxis(length: number, factor: number): ZoomAxis {
  const kept = Math.ceil(length / factor);
  const first = Math.floor((length - kept) / 2);
  const enlarged = roundHalfEven(kept * factor);
  const cut = Math.floor((enlarged - length) / 2);
  const step = enlarged > 1 ? (kept - 1) / (enlarged - 1) : 1;
  const at = new Int32Array(length);
  const fraction = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    // Kept below the last sample: the product may pass it by a rounding error, where SciPy puts a black line.
    const place = Math.min((i + cut) * step, kept - 1);
    const whole = Math.max(0, Math.min(Math.floor(place), kept - 2));
    at[i] = first + whole;
    fraction[i] = place - whole;
  }
  return { at, fraction };
}

/** The middle of a layer of numbers, enlarged to the layer's size. */
export function zoomField(field: Float64Array, width: number, height: number, factor: number): Float64Array {
  const columns = zoomAxis(width, factor);
  const rows = zoomAxis(height, factor);
  const out = new Float64Array(field.length);
  const right = width > 1 ? 1 : 0;
  const below = height > 1 ? width : 0;
  for (let y = 0; y < height; y++) {
    const top = rows.at[y] * width;
    const down = rows.fraction[y];
    for (let x = 0; x < width; x++) {
      const i = top + columns.at[x];
      const across = columns.fraction[x];
      const upper = field[i] * (1 - across) + field[i + right] * across;
      const lower = field[i + below] * (1 - across) + field[i + below + right] * across;
      out[y * width + x] = upper * (1 - down) + lower * down;
    }
  }
  return out;
}

/** Python's `round`. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
