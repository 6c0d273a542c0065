// How unlike two patches are, and what a shift costs (fill.ts, fill-nearest.ts).

let costAcross: f32 = 0;
let costDown: f32 = 0;

/** What a shift costs beside the difference in colour, per squared pixel across and down. */
export function fillPrior(across: f32, down: f32): void {
  costAcross = across;
  costDown = down;
}

// @ts-ignore: decorator
@inline
export function shiftCost(across: i32, down: i32): u32 {
  return u32(f32(across * across) * costAcross + f32(down * down) * costDown);
}

/** The first whole shift down whose cost alone is more than this. */
export function reachDown(limit: u32): i32 {
  let reach = i32(min<f32>(sqrt<f32>(f32(limit) / costDown), 32766)) + 1;
  while (reach < 32767 && shiftCost(0, reach) <= limit) reach++;
  return reach;
}

// @ts-ignore: decorator
@inline
export function shiftCosts(across: v128, down: v128): v128 {
  const along = f32x4.mul(f32x4.convert_i32x4_s(i32x4.mul(across, across)), f32x4.splat(costAcross));
  const upright = f32x4.mul(f32x4.convert_i32x4_s(i32x4.mul(down, down)), f32x4.splat(costDown));
  return i32x4.trunc_sat_f32x4_s(f32x4.add(along, upright));
}

// @ts-ignore: decorator
@inline
export function difference(a: v128, b: v128): v128 {
  return v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a));
}

// @ts-ignore: decorator
@inline
export function squares(differences: v128): v128 {
  const low = i16x8.extend_low_i8x16_u(differences);
  const high = i16x8.extend_high_i8x16_u(differences);
  return i32x4.add(i32x4.dot_i16x8_s(low, low), i32x4.dot_i16x8_s(high, high));
}

/** A row of two patches; `side` is written out where this is used. Two loads of four, the pixels past its end masked out. */
// @ts-ignore: decorator
@inline
export function rowSquares(side: i32, pa: usize, pb: usize): v128 {
  const left = difference(v128.load(pa), v128.load(pb));
  if (side == 3) return squares(v128.and(left, i32x4(-1, -1, -1, 0)));
  const right = difference(v128.load(pa, 16), v128.load(pb, 16));
  const counted = side == 5 ? v128.and(right, i32x4(-1, 0, 0, 0)) : v128.and(right, i32x4(-1, -1, -1, 0));
  return i32x4.add(squares(left), squares(counted));
}

// @ts-ignore: decorator
@inline
export function total(v: v128): u32 {
  const halves = i32x4.add(v, v128.shuffle<i32>(v, v, 2, 3, 0, 1));
  return u32(i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1));
}

/** Adds up the lanes of each. */
// @ts-ignore: decorator
@inline
export function totals(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 2, 4, 6), v128.shuffle<i32>(a, b, 1, 3, 5, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 2, 4, 6), v128.shuffle<i32>(c, d, 1, 3, 5, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 2, 4, 6), v128.shuffle<i32>(ab, cd, 1, 3, 5, 7));
}
