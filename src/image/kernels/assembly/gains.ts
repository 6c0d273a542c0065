// The gains of src/image/complexity.ts, single numbers that are exponentials and logarithms of doubles, two at a time: right to
// some 1e-14 of their size, which decides how they are rounded but where they lie next to the middle between two single
// numbers. The places of those are told, to be computed by JavaScript's own functions.

/** Doubts begin this near to the middle between two single numbers, in units of a double's last place: 1.5e-11. */
const near: i64 = 65536;
/** A single number's last place in those units. */
const single: i64 = 536870912;

/** Whether rounding to a single number is in doubt. */
// @ts-ignore: decorator
@inline
function doubt(value: v128): v128 {
  const shifted = i64x2.add(value, i64x2.splat(near - single / 2));
  return i64x2.lt_s(v128.and(shifted, i64x2.splat(single - 1)), i64x2.splat(2 * near));
}

// @ts-ignore: decorator
@inline
function times(a: v128, b: v128, c: f64): v128 {
  return f64x2.add(f64x2.mul(a, b), f64x2.splat(c));
}

/** exp(s · slope) for each slope, and the places of pairs in doubt; returns how many pairs those are. */
export function gainsFor(slopes: usize, s: f64, count: usize, to: usize, doubtful: usize): usize {
  let doubts: usize = 0;
  const factor = f64x2.splat(s);
  for (let i: usize = 0; i < count; i += 2) {
    const x = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(slopes + (i << 2))), factor);
    const turns = f64x2.nearest(f64x2.mul(x, f64x2.splat(1.4426950408889634)));
    // ln 2 in two parts, the first short enough for its multiples to be exact (Cody and Waite).
    const high = f64x2.sub(x, f64x2.mul(turns, f64x2.splat(6.93147180369123816490e-1)));
    const r = f64x2.sub(high, f64x2.mul(turns, f64x2.splat(1.90821492927058770002e-10)));
    let p = times(f64x2.splat(1 / 39916800.0), r, 1 / 3628800.0);
    p = times(p, r, 1 / 362880.0);
    p = times(p, r, 1 / 40320.0);
    p = times(p, r, 1 / 5040.0);
    p = times(p, r, 1 / 720.0);
    p = times(p, r, 1 / 120.0);
    p = times(p, r, 1 / 24.0);
    p = times(p, r, 1 / 6.0);
    p = times(p, r, 0.5);
    p = times(p, r, 1);
    p = times(p, r, 1);
    const power = i64x2.shl(i64x2.extend_low_i32x4_s(i32x4.trunc_sat_f64x2_s_zero(turns)), 52);
    const value = i64x2.add(p, power);
    v128.store64_lane(to + (i << 2), f32x4.demote_f64x2_zero(value), 0);
    // Single numbers end at e^±87.
    const extreme = f64x2.gt(f64x2.abs(x), f64x2.splat(80));
    if (!v128.any_true(v128.or(extreme, doubt(value)))) continue;
    store<u32>(doubtful + (doubts << 2), u32(i));
    doubts++;
  }
  return doubts;
}

/**
 * ln(1 + (f / corner)²) / 2 for the frequencies f of a picture, in periods across the longer side, and the places of pairs in
 * doubt; returns how many pairs those are.
 */
export function slopesFor(
  width: usize, height: usize, longer: f64, corner: f64, to: usize, doubtful: usize,
): usize {
  let doubts: usize = 0;
  const across = f64x2.splat(longer / (2 * f64(width) * corner));
  for (let y: usize = 0; y < height; y++) {
    const down = (f64(y) / (2 * f64(height))) * (longer / corner);
    const fixed = f64x2.splat(down * down);
    for (let x: usize = 0; x < width; x += 2) {
      const place = f64x2.mul(f64x2(f64(x), f64(x + 1)), across);
      const squared = f64x2.add(f64x2.mul(place, place), fixed);
      const value = f64x2.mul(logarithm(f64x2.add(squared, f64x2.splat(1))), f64x2.splat(0.5));
      const at = y * width + x;
      v128.store64_lane(to + (at << 2), f32x4.demote_f64x2_zero(value), 0);
      if (!v128.any_true(doubt(value))) continue;
      store<u32>(doubtful + (doubts << 2), u32(at));
      doubts++;
    }
  }
  return doubts;
}

/** Of numbers from 1 on: 2 artanh((m − 1) / (m + 1)) of what is left without a power of two, and that power's. */
// @ts-ignore: decorator
@inline
function logarithm(u: v128): v128 {
  const exponent = i64x2.sub(i64x2.shr_u(i64x2.add(u, i64x2.splat(0x00095f6200000000)), 52), i64x2.splat(1023));
  const m = i64x2.sub(u, i64x2.shl(exponent, 52));
  const k = f64x2.convert_low_i32x4_s(v128.shuffle<i32>(exponent, exponent, 0, 2, 0, 2));
  const one = f64x2.splat(1);
  const t = f64x2.div(f64x2.sub(m, one), f64x2.add(m, one));
  const q = f64x2.mul(t, t);
  let p = times(f64x2.splat(2 / 23.0), q, 2 / 21.0);
  p = times(p, q, 2 / 19.0);
  p = times(p, q, 2 / 17.0);
  p = times(p, q, 2 / 15.0);
  p = times(p, q, 2 / 13.0);
  p = times(p, q, 2 / 11.0);
  p = times(p, q, 2 / 9.0);
  p = times(p, q, 2 / 7.0);
  p = times(p, q, 2 / 5.0);
  p = times(p, q, 2 / 3.0);
  p = times(p, q, 2);
  return f64x2.add(f64x2.mul(t, p), f64x2.mul(k, f64x2.splat(0.6931471805599453)));
}
