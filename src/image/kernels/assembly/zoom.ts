// ImageNet-C's zoom blur (src/scenarios/corruptions/zoom-blur.ts): places between rows and columns in double precision, sums in
// single precision.

/** Between two rows of bytes, as shares from a table of 256 doubles. */
export function zoomLine(upper: usize, lower: usize, down: f64, shares: usize, line: usize, length: usize): void {
  const before = f64x2.splat(1 - down);
  const after = f64x2.splat(down);
  for (let i: usize = 0; i < length; i += 2) {
    const a = pairOf(upper + i, shares);
    const b = pairOf(lower + i, shares);
    v128.store(line + (i << 3), f64x2.add(f64x2.mul(a, before), f64x2.mul(b, after)));
  }
}

// @ts-ignore: decorator
@inline
function pairOf(bytes: usize, shares: usize): v128 {
  const first = v128.load64_zero(shares + (usize(load<u8>(bytes)) << 3));
  return v128.load64_lane(shares + (usize(load<u8>(bytes, 1)) << 3), first, 1);
}

/** Adds each pixel of a line to `sums`: from the byte offset in `places` and the pixel after it, mixed by a fraction. */
export function zoomAdd(line: usize, places: usize, fractions: usize, sums: usize, width: usize): void {
  for (let x: usize = 0; x < width; x++, sums += 12) {
    const from = line + load<u32>(places + (x << 2));
    const share = load<f64>(fractions + (x << 3));
    const after = f64x2.splat(share);
    const before = f64x2.splat(1 - share);
    const firstTwo = f64x2.add(f64x2.mul(v128.load(from), before), f64x2.mul(v128.load(from, 24), after));
    const third = f64x2.add(
      f64x2.mul(v128.load64_zero(from, 16), before),
      f64x2.mul(v128.load64_zero(from, 40), after),
    );
    // The fourth number is zero and leaves the next pixel as it is.
    const added = v128.shuffle<i64>(f32x4.demote_f64x2_zero(firstTwo), f32x4.demote_f64x2_zero(third), 0, 2);
    v128.store(sums, f32x4.add(v128.load(sums), added));
  }
}

/** The mean of a row and what was added up, as levels; up to three bytes past the end are written too. */
export function zoomMean(bytes: usize, sums: usize, length: usize, count: f32, to: usize): void {
  const most = f32x4.splat(255);
  for (let i: usize = 0; i < length; i += 4) {
    const levels = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(bytes + i)));
    const share = f32x4.div(f32x4.convert_i32x4_s(levels), most);
    const mean = f32x4.div(f32x4.add(share, v128.load(sums + (i << 2))), f32x4.splat(count));
    const made = i32x4.trunc_sat_f32x4_s(f32x4.min(f32x4.mul(mean, most), most));
    v128.store32_lane(to + i, i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_s(made, made), made), 0);
  }
}
