// Copies of patches (fill-vote.ts) joined by their gradients. A pixel is four bytes: red, green, blue, texture.
import { colourAt } from './fill-colour';

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
  let y = 0;
  let rowEnd = width;
  for (let i = 0; i < count; i++) {
    const p = load<i32>(list + (usize(i) << 2));
    const source = load<i32>(choices + (usize(p) << 2));
    const own = colourAt(pixels, usize(source));
    const shows = i32(load<u8>(known + usize(source)));
    v128.store(values + (usize(p) << 4), own);
    let sum = f32x4.mul(own, f32x4.splat(screen));
    for (; p >= rowEnd; rowEnd += width) y++;
    const x = p - rowEnd + width;
    const bits = i32(x > 0) | (i32(x < width - 1) << 1) | (i32(y > 0) << 2) | (i32(y < height - 1) << 3);
    store<i32>(unknowns + (usize(i) << 2), (p << 4) | (bits ^ 15));
    if (bits == 15 && shows == 15 && !load<u8>(known + usize(p)) && besideEachOther(choices + (usize(p) << 2), width)) {
      // Copied side by side: both of each two show the same gradient, and there is no jump.
      sum = f32x4.add(sum, f32x4.sub(own, colourAt(pixels, usize(source - 1))));
      sum = f32x4.add(sum, f32x4.sub(own, colourAt(pixels, usize(source + 1))));
      sum = f32x4.add(sum, f32x4.sub(own, colourAt(pixels, usize(source - width))));
      sum = f32x4.add(sum, f32x4.sub(own, colourAt(pixels, usize(source + width))));
      v128.store(wanted + (usize(i) << 4), sum);
      continue;
    }
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
  }
}

/** Whether a pixel's four neighbours were copied from its source's neighbours. */
// @ts-ignore: decorator
@inline
function besideEachOther(choice: usize, width: i32): bool {
  const row = usize(width) << 2;
  const source = load<i32>(choice);
  const apart = (load<i32>(choice - 4) - source + 1) | (load<i32>(choice, 4) - source - 1);
  return !(apart | (load<i32>(choice - row) - source + width) | (load<i32>(choice + row) - source - width));
}
