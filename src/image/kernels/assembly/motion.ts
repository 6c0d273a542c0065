// ImageMagick's motion blur (src/scenarios/corruptions/shared/motion.ts).

// @ts-ignore: decorator
@inline
function lowHalf(words: v128): v128 {
  return f64x2.convert_low_i32x4_s(words);
}

// @ts-ignore: decorator
@inline
function highHalf(words: v128): v128 {
  return f64x2.convert_low_i32x4_s(v128.shuffle<i64>(words, words, 1, 1));
}

/** Brought to 16 bits, rounded, and back to 8 bits by truncation. */
// @ts-ignore: decorator
@inline
function level(sum: v128): v128 {
  const quantum = f64x2.floor(f64x2.add(f64x2.mul(sum, f64x2.splat(257)), f64x2.splat(0.5)));
  return i32x4.trunc_sat_f64x2_s_zero(f64x2.div(quantum, f64x2.splat(257)));
}

/**
 * One row: the weighted sum of the rows at the addresses in `taps`, in their order; eight numbers at a time, and as many
 * past the end of each row are read and written.
 */
export function motionRow(taps: usize, weights: usize, count: usize, to: usize, length: usize): void {
  for (let i: usize = 0; i < length; i += 8) {
    let s0 = f64x2.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    for (let k: usize = 0; k < count; k++) {
      const words = v128.load8x8_u(usize(load<u32>(taps + (k << 2))) + i);
      const w = v128.load64_splat(weights + (k << 3));
      const near = i32x4.extend_low_i16x8_u(words);
      const far = i32x4.extend_high_i16x8_u(words);
      s0 = f64x2.add(s0, f64x2.mul(w, lowHalf(near)));
      s1 = f64x2.add(s1, f64x2.mul(w, highHalf(near)));
      s2 = f64x2.add(s2, f64x2.mul(w, lowHalf(far)));
      s3 = f64x2.add(s3, f64x2.mul(w, highHalf(far)));
    }
    const near = v128.shuffle<i64>(level(s0), level(s1), 0, 2);
    const words = i16x8.narrow_i32x4_s(near, v128.shuffle<i64>(level(s2), level(s3), 0, 2));
    v128.store64_lane(to + i, i8x16.narrow_i16x8_u(words, words), 0);
  }
}
