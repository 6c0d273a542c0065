/** How a value of a network lies over the picture. */
export interface Spatial {
  readonly layout: 'NCHW' | 'NHWC' | 'tokens';
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** Tokens before those of the picture: class token, registers. */
  readonly prefix: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A class token, a distillation token, or one and four registers. */
const mostPrefix = 5;

/**
 * The map in a value of the given dimensions, of one picture; undefined where it is none. A map has more than one row and
 * column, is at most half the picture's size, and has its proportions; tokens are a class token and such a map in a row.
 */
export function spatialOf(dims: readonly number[], picture: Size): Spatial | undefined {
  if (dims[0] !== 1) return undefined;
  if (dims.length === 4) {
    const [, a, b, c] = dims;
    if (a > 1 && isMap(c, b, picture)) return { layout: 'NCHW', width: c, height: b, channels: a, prefix: 0 };
    if (c > 1 && isMap(b, a, picture)) return { layout: 'NHWC', width: b, height: a, channels: c, prefix: 0 };
    return undefined;
  }
  if (dims.length !== 3 || dims[2] < 2) return undefined;
  for (let prefix = 0; prefix <= mostPrefix; prefix++) {
    const tokens = dims[1] - prefix;
    const height = Math.round(Math.sqrt((tokens * picture.height) / picture.width));
    const width = tokens / height;
    if (Number.isInteger(width) && isMap(width, height, picture))
      return { layout: 'tokens', width, height, channels: dims[2], prefix };
  }
  return undefined;
}

/** Strides round up or down at every layer, so a map may be a cell off the picture's proportions. */
function isMap(width: number, height: number, picture: Size): boolean {
  if (width < 2 || height < 2 || 2 * width > picture.width || 2 * height > picture.height) return false;
  const due = (width * picture.height) / picture.width;
  return Math.abs(due - height) < 1;
}

/** Where channel `k` at position `p` lies in the value. */
export function placeOf({ layout, width, height, channels, prefix }: Spatial, k: number, p: number): number {
  return layout === 'NCHW' ? k * width * height + p : (p + prefix) * channels + k;
}

/** Channel by channel, each a map row by row. */
export function channelMaps(data: Float32Array, spatial: Spatial): Float64Array[] {
  const positions = spatial.width * spatial.height;
  return Array.from({ length: spatial.channels }, (_, k) =>
    Float64Array.from({ length: positions }, (_unused, p) => data[placeOf(spatial, k, p)]),
  );
}
