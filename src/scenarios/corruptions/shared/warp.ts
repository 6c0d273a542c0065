import { mirror, reflect } from './border.ts';
import { levelAsShare } from './levels.ts';

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

const { fround } = Math;
const values = Float32Array.from(levelAsShare);
/** Weights of the four corners for each of 32 × 32 places between them; exact in single precision. */
const corners = Float32Array.from({ length: 4 * 32 * 32 }, (_, i) => {
  const across = (i >> 2) % 32;
  const down = i >> 7;
  return ((i & 1 ? across : 32 - across) / 32) * ((i & 2 ? down : 32 - down) / 32);
});

/**
 * The picture (0…1) moved by an affine map, bilinear, mirrored at the edges: OpenCV's `warpAffine` with its places
 * rounded to 1/32 px and its single precision.
 */
export function warpAffine({ width, height, channels, data }: Levels, [a, b, c, d, e, f]: Affine): Float32Array {
  const determinant = a * e - b * d;
  const inverse = determinant === 0 ? 0 : 1 / determinant;
  const [ia, ib, id, ie] = [e * inverse, -b * inverse, -d * inverse, a * inverse];
  const ic = -ia * c - ib * f;
  const jf = -id * c - ie * f;
  const out = new Float32Array(data.length);
  // In units of 1/1024 px, as 32-bit whole numbers: what is farther is brought near by whole periods of the mirroring.
  const near = (place: number, length: number) => (Math.abs(place) < 2 ** 30 ? place : place % (2048 * (length - 1)));
  const alongX = Int32Array.from({ length: width }, (_, x) => near(Math.round(ia * x * 1024), width));
  const alongY = Int32Array.from({ length: width }, (_, x) => near(Math.round(id * x * 1024), height));
  for (let y = 0, i = 0; y < height; y++) {
    const startX = near(Math.round((ib * y + ic) * 1024) + 16, width) | 0;
    const startY = near(Math.round((ie * y + jf) * 1024) + 16, height) | 0;
    for (let x = 0; x < width; x++, i += channels) {
      const fineX = (startX + alongX[x]) >> 5;
      const fineY = (startY + alongY[x]) >> 5;
      const wholeX = fineX >> 5;
      const wholeY = fineY >> 5;
      const fractionX = fineX & 31;
      const fractionY = fineY & 31;
      const left = mirror(wholeX, width) * channels;
      const right = mirror(wholeX + 1, width) * channels;
      const upper = mirror(wholeY, height) * width * channels;
      const lower = mirror(wholeY + 1, height) * width * channels;
      const w = 4 * (32 * fractionY + fractionX);
      for (let k = 0; k < channels; k++) {
        let sum = fround(values[data[upper + left + k]] * corners[w]);
        sum = fround(sum + fround(values[data[upper + right + k]] * corners[w + 1]));
        sum = fround(sum + fround(values[data[lower + left + k]] * corners[w + 2]));
        out[i + k] = sum + fround(values[data[lower + right + k]] * corners[w + 3]);
      }
    }
  }
  return out;
}

/**
 * Each pixel read (dx, dy) away from its place, bilinear, reflected at the edges: SciPy's `map_coordinates(order=1)` in
 * single precision; from 0…1 to levels.
 */
export function displace(
  values: Float32Array,
  { width, height, channels }: Omit<Levels, 'data'>,
  dx: Float32Array,
  dy: Float32Array,
): Uint8Array {
  const out = new Uint8Array(values.length);
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p++) {
      const placeX = x + dx[p];
      const placeY = y + dy[p];
      const wholeX = Math.floor(placeX);
      const wholeY = Math.floor(placeY);
      const across = placeX - wholeX;
      const down = placeY - wholeY;
      const left = reflect(wholeX, width) * channels;
      const right = reflect(wholeX + 1, width) * channels;
      const upper = reflect(wholeY, height) * width * channels;
      const lower = reflect(wholeY + 1, height) * width * channels;
      for (let k = 0; k < channels; k++) {
        const above = values[upper + left + k] * (1 - across) + values[upper + right + k] * across;
        const below = values[lower + left + k] * (1 - across) + values[lower + right + k] * across;
        out[p * channels + k] = fround(fround(above * (1 - down) + below * down) * 255);
      }
    }
  }
  return out;
}
