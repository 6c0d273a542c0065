// @ts-ignore: decorator
@inline
function add(sum: v128, bytes: v128, weight: v128): v128 {
  return f32x4.add(sum, f32x4.mul(f32x4.convert_i32x4_u(bytes), weight));
}

/**
 * Correlation with any kernel, in single precision, rounded to even. `source` has its borders; `taps` holds pairs of a
 * byte offset (u32) from the output pixel's place in it and a weight (f32).
 */
export function correlate(
  source: usize,
  stride: usize,
  target: usize,
  bytes: i32,
  rows: i32,
  taps: usize,
  count: i32,
): void {
  const end = taps + (<usize>count << 3);
  for (let y: usize = 0; y < <usize>rows; y++) {
    const row = source + y * stride;
    const to = target + y * <usize>bytes;
    for (let x: usize = 0; x < <usize>bytes; x += 16) {
      let s0 = f32x4.splat(0);
      let s1 = f32x4.splat(0);
      let s2 = f32x4.splat(0);
      let s3 = f32x4.splat(0);
      for (let tap = taps; tap < end; tap += 8) {
        const pixels = v128.load(row + x + <usize>load<u32>(tap));
        const weight = v128.load32_splat(tap, 4);
        const low = i16x8.extend_low_i8x16_u(pixels);
        const high = i16x8.extend_high_i8x16_u(pixels);
        s0 = add(s0, i32x4.extend_low_i16x8_u(low), weight);
        s1 = add(s1, i32x4.extend_high_i16x8_u(low), weight);
        s2 = add(s2, i32x4.extend_low_i16x8_u(high), weight);
        s3 = add(s3, i32x4.extend_high_i16x8_u(high), weight);
      }
      const low = i16x8.narrow_i32x4_s(
        i32x4.trunc_sat_f32x4_s(f32x4.nearest(s0)),
        i32x4.trunc_sat_f32x4_s(f32x4.nearest(s1)),
      );
      const high = i16x8.narrow_i32x4_s(
        i32x4.trunc_sat_f32x4_s(f32x4.nearest(s2)),
        i32x4.trunc_sat_f32x4_s(f32x4.nearest(s3)),
      );
      v128.store(to + x, i8x16.narrow_i16x8_u(low, high));
    }
  }
}
