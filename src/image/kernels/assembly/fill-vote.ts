// What the patches found (fill.ts) say of each missing pixel: votes, and the one to copy. A pixel is four bytes: red, green,
// blue, texture; `nearest` holds y << 16 | x.
import { writeColour } from './fill-colour';

// @ts-ignore: decorator
@inline
function plusVote(sum: usize, pixels: v128, weight: v128): void {
  v128.store(sum, f32x4.add(v128.load(sum), f32x4.mul(f32x4.convert_i32x4_s(pixels), weight)));
}

/** The votes of one row of a patch for up to four pixels. */
// @ts-ignore: decorator
@inline
function voteRow(from: usize, sums: usize, totals: usize, count: i32, weight: v128, counted: v128): void {
  const pixels = v128.load(from);
  const low = i16x8.extend_low_i8x16_u(pixels);
  plusVote(sums, i32x4.extend_low_i16x8_u(low), weight);
  if (count > 1) plusVote(sums + 16, i32x4.extend_high_i16x8_u(low), weight);
  if (count > 2) {
    const high = i16x8.extend_high_i8x16_u(pixels);
    plusVote(sums + 32, i32x4.extend_low_i16x8_u(high), weight);
    if (count > 3) plusVote(sums + 48, i32x4.extend_high_i16x8_u(high), weight);
  }
  v128.store(totals, f32x4.add(v128.load(totals), counted));
}

/**
 * Each missing pixel of `list` becomes the weighted mean of what the patches over it propose. `sums` and `totals` have room
 * for four pixels more.
 */
export function fillVote(
  pixels: usize, width: i32, side: i32, voters: usize, voterCount: i32, list: usize, count: i32,
  nearest: usize, distances: usize, weights: usize, sums: usize, totals: usize, sharpness: f32,
): void {
  const row = usize(width) << 2;
  // Voters are in reading order, so their votes fall on these rows.
  const begin = usize(load<i32>(voters) / width * width);
  const room = usize((load<i32>(voters + (usize(voterCount - 1) << 2)) / width + side) * width) - begin;
  memory.fill(sums + (begin << 4), 0, room << 4);
  memory.fill(totals + (begin << 2), 0, (room << 2) + 16);
  const threeOnly = i32x4(-1, -1, -1, 0);
  const oneOnly = i32x4(-1, 0, 0, 0);
  for (let i = 0; i < voterCount; i++) {
    const target = load<i32>(voters + (usize(i) << 2));
    const at = usize(target) << 2;
    const d = f32(load<u32>(distances + at));
    const nearness: f32 = sharpness == 0 ? 1 : Mathf.exp(-d * sharpness);
    const weight = f32x4.splat(load<f32>(weights + at) * (nearness + 1e-6));
    const three = v128.and(weight, threeOnly);
    const one = v128.and(weight, oneOnly);
    const source = load<i32>(nearest + at);
    let from = pixels + (usize((source >> 16) * width + (source & 0xffff)) << 2);
    let sum = sums + (usize(target) << 4);
    let total = totals + at;
    for (let y = 0; y < side; y++, from += row, sum += row << 2, total += row) {
      if (side == 7) {
        voteRow(from, sum, total, 4, weight, weight);
        voteRow(from + 16, sum + 64, total + 16, 3, weight, three);
      } else if (side == 5) {
        voteRow(from, sum, total, 4, weight, weight);
        voteRow(from + 16, sum + 64, total + 16, 1, weight, one);
      } else {
        voteRow(from, sum, total, 3, weight, three);
      }
    }
  }
  for (let i = 0; i < count; i++) {
    const p = usize(load<i32>(list + (usize(i) << 2)));
    const weight = load<f32>(totals + (p << 2));
    if (weight > 0) writeColour(pixels, p, f32x4.mul(v128.load(sums + (p << 4)), f32x4.splat(1 / weight)));
  }
}

/** For each patch over a pixel, in reading order: how much later its pixel there comes than its first one. */
const withins = memory.data(64 * 4, 16);
/** And where its key is, from the pixel's place in the first plane. */
const offsets = memory.data(64 * 4, 16);
const keys = memory.data(16, 16);
/** More than any key of a patch, and the same byte four times. */
const noPatch: i32 = 0x7f7f7f7f;

/**
 * Chooses, per missing pixel, the one patch over it that fits best, the first of several: `choices` is the pixel to copy.
 * Near ties go to the patch whose middle is nearest: every ring around it adds an eighth to the distance. A patch's key is
 * that sum (below 2 · 10⁷) and its place in reading order (below 2⁶), so that the least key says it all. `rings` has room for
 * (side >> 1) + 1 planes of `count` integers, each with `side` rows before it and four integers after it.
 */
export function fillChoose(
  width: i32, count: i32, side: i32, targets: usize, targetCount: i32, list: usize, missing: i32,
  nearest: usize, distances: usize, rings: usize, choices: usize,
): void {
  const half = side >> 1;
  const before = usize(side * width);
  const plane = (before + usize(count) + 4) << 2;
  memory.fill(rings, u8(noPatch), plane * usize(half + 1));
  for (let i = 0; i < targetCount; i++) {
    const target = load<i32>(targets + (usize(i) << 2));
    const d = load<u32>(distances + (usize(target) << 2));
    let at = rings + ((before + usize(target)) << 2);
    for (let ring = 0; ring <= half; ring++, at += plane) store<u32>(at, (d + u32(ring) * (d >> 3)) << 6);
  }
  for (let order = 0, row = side - 1; row >= 0; row--) {
    for (let column = side - 1; column >= 0; column--, order++) {
      const within = row * width + column;
      const ring = max(abs(row - half), abs(column - half));
      store<i32>(withins + (usize(order) << 2), within);
      store<i32>(offsets + (usize(order) << 2), ring * i32(plane) - (within << 2));
    }
  }
  for (let i = 0; i < missing; ) {
    const p = load<i32>(list + (usize(i) << 2));
    const here = rings + ((before + usize(p)) << 2);
    let least = i32x4.splat(noPatch);
    for (let order = 0; order < side * side; order++) {
      const at = here + usize(load<i32>(offsets + (usize(order) << 2)));
      least = i32x4.min_s(least, v128.or(v128.load(at), i32x4.splat(order)));
    }
    v128.store(keys, least);
    for (; i < missing; i++) {
      const pixel = load<i32>(list + (usize(i) << 2));
      if (pixel >= p + 4) break;
      const within = load<i32>(withins + (usize(load<i32>(keys + (usize(pixel - p) << 2)) & 63) << 2));
      const source = load<i32>(nearest + (usize(pixel - within) << 2));
      store<i32>(choices + (usize(pixel) << 2), (source >> 16) * width + (source & 0xffff) + within);
    }
  }
}
