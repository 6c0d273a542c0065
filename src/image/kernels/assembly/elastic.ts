// The warps of ImageNet-C's elastic transform (src/scenarios/corruptions/shared/warp.ts), of one or three channels.

// @ts-ignore: decorator
@inline
function mirrored(index: i32, length: i32): i32 {
  if (u32(index) < u32(length)) return index;
  if (length == 1) return 0;
  const period = 2 * length - 2;
  const folded = ((index % period) + period) % period;
  return folded < length ? folded : period - folded;
}

// @ts-ignore: decorator
@inline
function reflected(index: i32, length: i32): i32 {
  if (u32(index) < u32(length)) return index;
  const period = 2 * length;
  const folded = ((index % period) + period) % period;
  return folded < length ? folded : period - 1 - folded;
}

/** Three channels of a pixel as shares, times a weight. */
// @ts-ignore: decorator
@inline
function weighed(pixel: usize, weight: usize): v128 {
  const levels = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(pixel)));
  return f32x4.mul(f32x4.div(f32x4.convert_i32x4_s(levels), f32x4.splat(255)), v128.load32_splat(weight));
}

/**
 * OpenCV's `warpAffine`, bilinear, mirrored at the edges. `starts` has the place of each row's beginning and `along` how far
 * each column lies from there, x and y in 1/1024 px; `corners` four weights for each of 32 × 32 places between pixels.
 */
export function shear(
  picture: usize, width: i32, height: i32, channels: i32, starts: usize, along: usize, corners: usize, to: usize,
): void {
  const stride = width * channels;
  for (let y = 0; y < height; y++) {
    const startX = load<i32>(starts + (usize(y) << 3));
    const startY = load<i32>(starts + (usize(y) << 3), 4);
    for (let x = 0; x < width; x++, to += usize(channels) << 2) {
      const fineX = (startX + load<i32>(along + (usize(x) << 3))) >> 5;
      const fineY = (startY + load<i32>(along + (usize(x) << 3), 4)) >> 5;
      const left = mirrored(fineX >> 5, width) * channels;
      const right = mirrored((fineX >> 5) + 1, width) * channels;
      const upper = picture + usize(mirrored(fineY >> 5, height) * stride);
      const lower = picture + usize(mirrored((fineY >> 5) + 1, height) * stride);
      const weights = corners + (usize(32 * (fineY & 31) + (fineX & 31)) << 4);
      let sum = weighed(upper + usize(left), weights);
      sum = f32x4.add(sum, weighed(upper + usize(right), weights + 4));
      sum = f32x4.add(sum, weighed(lower + usize(left), weights + 8));
      // What does not belong to the pixel is written over by the next one.
      v128.store(to, f32x4.add(sum, weighed(lower + usize(right), weights + 12)));
    }
  }
}

// @ts-ignore: decorator
@inline
function mix(a: v128, b: v128, first: v128, second: v128): v128 {
  return f64x2.add(f64x2.mul(a, first), f64x2.mul(b, second));
}

// @ts-ignore: decorator
@inline
function lastOf(values: v128): v128 {
  return f64x2.promote_low_f32x4(v128.shuffle<i64>(values, values, 1, 1));
}

/** SciPy's `map_coordinates(order=1)`, reflected at the edges: each pixel read (dx, dy) away from its place, as levels. */
export function displace(
  values: usize, width: i32, height: i32, channels: i32, across: usize, down: usize, to: usize,
): void {
  const stride = width * channels;
  for (let y = 0, p: usize = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p++, to += usize(channels)) {
      const placeX = f64(x) + f64(load<f32>(across + (p << 2)));
      const placeY = f64(y) + f64(load<f32>(down + (p << 2)));
      const wholeX = floor(placeX);
      const wholeY = floor(placeY);
      const right = f64x2.splat(placeX - wholeX);
      const left = f64x2.splat(1 - (placeX - wholeX));
      const below = f64x2.splat(placeY - wholeY);
      const above = f64x2.splat(1 - (placeY - wholeY));
      const x0 = reflected(i32(wholeX), width) * channels;
      const x1 = reflected(i32(wholeX) + 1, width) * channels;
      const y0 = reflected(i32(wholeY), height) * stride;
      const y1 = reflected(i32(wholeY) + 1, height) * stride;
      const a = v128.load(values + (usize(y0 + x0) << 2));
      const b = v128.load(values + (usize(y0 + x1) << 2));
      const c = v128.load(values + (usize(y1 + x0) << 2));
      const d = v128.load(values + (usize(y1 + x1) << 2));
      const upper = mix(f64x2.promote_low_f32x4(a), f64x2.promote_low_f32x4(b), left, right);
      const lower = mix(f64x2.promote_low_f32x4(c), f64x2.promote_low_f32x4(d), left, right);
      const firstTwo = f32x4.demote_f64x2_zero(mix(upper, lower, above, below));
      if (channels == 1) {
        store<u8>(to, u8(i32(f32x4.extract_lane(firstTwo, 0) * 255)));
        continue;
      }
      const third = f32x4.demote_f64x2_zero(
        mix(mix(lastOf(a), lastOf(b), left, right), mix(lastOf(c), lastOf(d), left, right), above, below),
      );
      const levels = i32x4.trunc_sat_f32x4_s(
        f32x4.mul(v128.shuffle<i64>(firstTwo, third, 0, 2), f32x4.splat(255)),
      );
      store<u8>(to, u8(i32x4.extract_lane(levels, 0)));
      store<u8>(to, u8(i32x4.extract_lane(levels, 1)), 1);
      store<u8>(to, u8(i32x4.extract_lane(levels, 2)), 2);
    }
  }
}
