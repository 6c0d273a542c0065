// Copies of patches (fill-vote.ts) joined by their gradients. A pixel is four bytes: red, green, blue, texture.
import { colourAt, writeColour } from './fill-colour';

/** Which neighbours of every pixel are in the frame and known, in bits: left, right, above, below. */
function knownSides(hole: usize, width: i32, height: i32, known: usize): void {
  const row = usize(width);
  for (let y = 0; y < height; y++) {
    const at = hole + usize(y) * row;
    const to = known + usize(y) * row;
    for (let x: usize = 0; x < row; x += 16) {
      const zero = i8x16.splat(0);
      let bits = v128.and(i8x16.eq(v128.load(at + x - 1), zero), i8x16.splat(1));
      bits = v128.or(bits, v128.and(i8x16.eq(v128.load(at + x, 1), zero), i8x16.splat(2)));
      if (y > 0) bits = v128.or(bits, v128.and(i8x16.eq(v128.load(at + x - row), zero), i8x16.splat(4)));
      if (y < height - 1) bits = v128.or(bits, v128.and(i8x16.eq(v128.load(at + x + row), zero), i8x16.splat(8)));
      v128.store(to + x, bits);
    }
    store<u8>(to, load<u8>(to) & 14);
    store<u8>(to + row - 1, load<u8>(to + row - 1) & 13);
  }
}

/**
 * Right-hand side and first guess of the blend: the gradient between two pixels is the mean of what both their sources
 * show. A jump far above `tolerance` levels is an edge between two materials and is kept; a small one is a difference in
 * light and is not. `values` is written where the blend will look: at the missing pixels and beside them. `unknowns` tells
 * where each is there, its last four bits which neighbours are not in the frame: left, right, above, below. `known` has
 * room for a byte a pixel.
 */
export function fillGradients(
  pixels: usize, hole: usize, width: i32, height: i32, list: usize, count: i32, choices: usize,
  values: usize, wanted: usize, unknowns: usize, known: usize, screen: f32, tolerance: f32,
): void {
  knownSides(hole, width, height, known);
  for (let i = 0; i < count; i++) {
    const p = load<i32>(list + (usize(i) << 2));
    const source = load<i32>(choices + (usize(p) << 2));
    const own = colourAt(pixels, usize(source));
    const shows = i32(load<u8>(known + usize(source)));
    v128.store(values + (usize(p) << 4), own);
    let sum = f32x4.mul(own, f32x4.splat(screen));
    const y = p / width;
    const x = p - y * width;
    const bits = i32(x > 0) | (i32(x < width - 1) << 1) | (i32(y > 0) << 2) | (i32(y < height - 1) << 3);
    for (let k = 0; k < 4; k++) {
      if (!(bits & (1 << k))) continue;
      const step = k == 0 ? -1 : k == 1 ? 1 : k == 2 ? -width : width;
      const inside = load<u8>(hole + usize(p + step));
      const theirs = inside ? load<i32>(choices + (usize(p + step) << 2)) : 0;
      let gradient = f32x4.splat(0);
      let votes = 0;
      if (shows & (1 << k)) {
        gradient = f32x4.sub(own, colourAt(pixels, usize(source + step)));
        votes = 1;
      }
      if (inside) {
        const other = colourAt(pixels, usize(theirs));
        // What their source shows on the other side: bits of opposite sides are neighbours.
        if (i32(load<u8>(known + usize(theirs))) & (1 << (k ^ 1))) {
          gradient = f32x4.add(gradient, f32x4.sub(colourAt(pixels, usize(theirs - step)), other));
          if (votes) gradient = f32x4.mul(gradient, f32x4.splat(0.5));
        }
        const jump = f32x4.sub(f32x4.sub(own, other), gradient);
        const squared = f32x4.mul(jump, jump);
        const size =
          (f32x4.extract_lane(squared, 0) + f32x4.extract_lane(squared, 1) + f32x4.extract_lane(squared, 2)) / 3;
        gradient = f32x4.add(gradient, f32x4.mul(jump, f32x4.splat(size / (size + tolerance * tolerance))));
      } else {
        v128.store(values + (usize(p + step) << 4), colourAt(pixels, usize(p + step)));
      }
      sum = f32x4.add(sum, gradient);
    }
    v128.store(wanted + (usize(i) << 4), sum);
    store<i32>(unknowns + (usize(i) << 2), (p << 4) | (bits ^ 15));
  }
}

/** What one turn of over-relaxation does to the `i`-th missing pixel. */
// @ts-ignore: decorator
@inline
function relax(
  i: i32, row: usize, unknowns: usize, values: usize, wanted: usize, screen: f32, relaxation: f32, whole: v128, rest: v128,
): void {
  const unknown = load<u32>(unknowns + (usize(i) << 2));
  const at = values + usize(unknown & ~15);
  let sum = v128.load(wanted + (usize(i) << 4));
  let factor = whole;
  if (!(unknown & 15)) {
    sum = f32x4.add(sum, f32x4.add(v128.load(at - 16), v128.load(at, 16)));
    sum = f32x4.add(sum, f32x4.add(v128.load(at - row), v128.load(at + row)));
  } else {
    if (!(unknown & 1)) sum = f32x4.add(sum, v128.load(at - 16));
    if (!(unknown & 2)) sum = f32x4.add(sum, v128.load(at, 16));
    if (!(unknown & 4)) sum = f32x4.add(sum, v128.load(at - row));
    if (!(unknown & 8)) sum = f32x4.add(sum, v128.load(at + row));
    factor = f32x4.splat(relaxation / (f32(popcnt<u32>(~unknown & 15)) + screen));
  }
  v128.store(at, f32x4.add(f32x4.mul(v128.load(at), rest), f32x4.mul(sum, factor)));
}

/** How many places before a missing pixel's the one above it is, at most. */
function longestRow(unknowns: usize, count: i32, width: i32): i32 {
  let most = 1;
  for (let i = 0, above = 0; i < count; i++) {
    const wanted = (load<i32>(unknowns + (usize(i) << 2)) >> 4) - width;
    while (load<i32>(unknowns + (usize(above) << 2)) >> 4 < wanted) above++;
    if (load<i32>(unknowns + (usize(above) << 2)) >> 4 == wanted) most = max(most, i - above);
  }
  return most;
}

/**
 * Solves for the colours with those gradients (Pérez, Gangnet and Blake 2003) by successive over-relaxation. Each pixel
 * waits for the one before it, so five sweeps go over the picture at once, each behind the other by as many pixels as a row
 * has at most: what a pixel sees of its neighbours is what it would see if they went one after the other.
 */
export function fillBlend(
  pixels: usize, width: i32, unknowns: usize, count: i32, values: usize, wanted: usize,
  screen: f32, relaxation: f32, sweeps: i32,
): void {
  const row = usize(width) << 4;
  const lag = longestRow(unknowns, count, width);
  const whole = f32x4.splat(relaxation / (4 + screen));
  const rest = f32x4.splat(1 - relaxation);
  for (let left = sweeps; left > 0; left -= 5) {
    const together = min(left, 5);
    const end = count + (together - 1) * lag;
    for (let t = 0; t < end; t++) {
      if (together == 5 && t >= 4 * lag && t < count) {
        relax(t, row, unknowns, values, wanted, screen, relaxation, whole, rest);
        relax(t - lag, row, unknowns, values, wanted, screen, relaxation, whole, rest);
        relax(t - 2 * lag, row, unknowns, values, wanted, screen, relaxation, whole, rest);
        relax(t - 3 * lag, row, unknowns, values, wanted, screen, relaxation, whole, rest);
        relax(t - 4 * lag, row, unknowns, values, wanted, screen, relaxation, whole, rest);
        continue;
      }
      for (let sweep = 0, i = t; sweep < together; sweep++, i -= lag) {
        if (u32(i) < u32(count)) relax(i, row, unknowns, values, wanted, screen, relaxation, whole, rest);
      }
    }
  }
  for (let i = 0; i < count; i++) {
    const p = usize(load<u32>(unknowns + (usize(i) << 2)) >> 4);
    writeColour(pixels, p, v128.load(values + (p << 4)));
  }
}
