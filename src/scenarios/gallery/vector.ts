export type Vector = readonly [x: number, y: number, z: number];
/** Red, green and blue, 0–1. */
export type Colour = Vector;

export const scale = ([x, y, z]: Vector, by: number): Vector => [x * by, y * by, z * by];

export const normalise = (v: Vector): Vector => scale(v, 1 / Math.hypot(v[0], v[1], v[2]));

export const mix = (a: Vector, b: Vector, share: number): Vector => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
];

/** 0–1, the same for the same cell. */
function cell(x: number, y: number): number {
  let hash = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}

function valueNoise(x: number, y: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const smooth = (t: number) => t * t * (3 - 2 * t);
  const fx = smooth(x - left);
  const fy = smooth(y - top);
  const row = (at: number) => cell(left, at) + (cell(left + 1, at) - cell(left, at)) * fx;
  return row(top) + (row(top + 1) - row(top)) * fy;
}

/** Value noise at doubling frequencies and halving strengths, 0–1. */
export function fractalNoise(x: number, y: number, octaves: number): number {
  let sum = 0;
  let total = 0;
  for (let octave = 0, strength = 1; octave < octaves; octave++, strength /= 2) {
    sum += strength * valueNoise(x * 2 ** octave + 17 * octave, y * 2 ** octave - 11 * octave);
    total += strength;
  }
  return sum / total;
}
