// Colours of the patch-based filling in single precision: a pixel is four bytes (red, green, blue, texture).

// @ts-ignore: decorator
@inline
export function colourAt(pixels: usize, index: usize): v128 {
  return f32x4.convert_i32x4_s(
    i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(pixels + (index << 2)))),
  );
}

// @ts-ignore: decorator
@inline
export function writeColour(pixels: usize, index: usize, colour: v128): void {
  const whole = i32x4.trunc_sat_f32x4_s(f32x4.max(f32x4.add(colour, f32x4.splat(0.5)), f32x4.splat(0)));
  v128.store32_lane(pixels + (index << 2), i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_s(whole, whole), whole), 0);
}
