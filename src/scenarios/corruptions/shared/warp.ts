import { begin, get, put, take } from '../../../image/kernels/arena.ts';

/** Levels of one or more channels, pixel after pixel. */
interface Levels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Uint8Array;
}

/** x′ = a·x + b·y + c, y′ = d·x + e·y + f. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
export type Point = readonly [x: number, y: number];

/** The affine map that takes three points to three points. */
export function affineBetween(from: readonly Point[], to: readonly Point[]): Affine {
  const [[x0, y0], [x1, y1], [x2, y2]] = from;
  const determinant = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
  const solve = (v0: number, v1: number, v2: number): [number, number, number] => {
    const alongX = ((v1 - v0) * (y2 - y0) - (v2 - v0) * (y1 - y0)) / determinant;
    const alongY = ((v2 - v0) * (x1 - x0) - (v1 - v0) * (x2 - x0)) / determinant;
    return [alongX, alongY, v0 - alongX * x0 - alongY * y0];
  };
  return [...solve(to[0][0], to[1][0], to[2][0]), ...solve(to[0][1], to[1][1], to[2][1])];
}

/** Weights of the four corners for each of 32 × 32 places between them; exact in single precision. */
const corners = Float32Array.from({ length: 4 * 32 * 32 }, (_, i) => {
  const across = (i >> 2) % 32;
  const down = i >> 7;
  return ((i & 1 ? across : 32 - across) / 32) * ((i & 2 ? down : 32 - down) / 32);
});

/**
 * The picture moved by an affine map, bilinear, mirrored at the edges: OpenCV's `warpAffine` with its places rounded to
 * 1/32 px and its single precision. Then each pixel read (dx, dy) away from its place, bilinear, reflected at the edges:
 * SciPy's `map_coordinates(order=1)` in single precision; truncated to levels.
 */
export function warpTwice(
  { width, height, channels, data }: Levels,
  affine: Affine,
  dx: Float32Array,
  dy: Float32Array,
): Uint8Array {
  const { shear, displace } = begin();
  const { starts, along } = placesOf(width, height, affine);
  const size = [width, height, channels] as const;
  const moved = take(4 * data.length);
  shear(put(data), ...size, put(starts), put(along), put(corners), moved);
  const out = take(data.length);
  displace(moved, ...size, put(dx), put(dy), out);
  return get(out, data.length);
}

/** Where each row begins and how far each column lies from there, x and y by turns, in units of 1/1024 px. */
function placesOf(width: number, height: number, [a, b, c, d, e, f]: Affine) {
  const determinant = a * e - b * d;
  const inverse = determinant === 0 ? 0 : 1 / determinant;
  const [ia, ib, id, ie] = [e * inverse, -b * inverse, -d * inverse, a * inverse];
  const ic = -ia * c - ib * f;
  const jf = -id * c - ie * f;
  // As 32-bit whole numbers: what is farther is brought near by whole periods of the mirroring.
  const near = (place: number, length: number) => (Math.abs(place) < 2 ** 30 ? place : place % (2048 * (length - 1)));
  const starts = new Int32Array(2 * height);
  for (let y = 0; y < height; y++) {
    starts[2 * y] = near(Math.round((ib * y + ic) * 1024) + 16, width);
    starts[2 * y + 1] = near(Math.round((ie * y + jf) * 1024) + 16, height);
  }
  const along = new Int32Array(2 * width);
  for (let x = 0; x < width; x++) {
    along[2 * x] = near(Math.round(ia * x * 1024), width);
    along[2 * x + 1] = near(Math.round(id * x * 1024), height);
  }
  return { starts, along };
}
