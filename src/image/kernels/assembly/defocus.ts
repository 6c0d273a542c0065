// Defocus blur by running sums (src/scenarios/corruptions/defocus-blur.ts). Sums are whole numbers of 32 bits.

/** For each channel the sum of all pixels before; `columns` has the first byte of each pixel, those beyond the edges too. */
export function runningSums(row: usize, columns: usize, count: usize, to: usize): void {
  let sum = i32x4.splat(0);
  // Three sums at a time; the fourth lane is written over by the next pixel.
  v128.store(to, sum);
  for (let i: usize = 0; i < count; i++) {
    const pixel = v128.load32_zero(row + usize(load<u32>(columns + (i << 2))));
    sum = i32x4.add(sum, i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(pixel)));
    v128.store(to + (i + 1) * 12, sum);
  }
}

/** Running sums of two rows, added up. */
export function addRunning(a: usize, b: usize, to: usize, count: usize): void {
  for (let i: usize = 0; i < count << 2; i += 16) v128.store(to + i, i32x4.add(v128.load(a + i), v128.load(b + i)));
}

// @ts-ignore: decorator
@inline
function upper(numbers: v128): v128 {
  return f64x2.convert_low_i32x4_s(v128.shuffle<i64>(numbers, numbers, 1, 1));
}

/**
 * Adds to `sums` what each interval has in `running`, times its weight: the intervals two by two, as pairs of left and right
 * offsets in bytes and as pairs of weights.
 */
export function addIntervals(
  sums: usize, running: usize, offsets: usize, weights: usize, pairs: usize, length: usize,
): void {
  for (let i: usize = 0; i < length; i += 4) {
    const at = running + (i << 2);
    const to = sums + (i << 3);
    let low = v128.load(to);
    let high = v128.load(to, 16);
    for (let k: usize = 0; k < pairs; k++) {
      const four = offsets + (k << 4);
      const a = i32x4.sub(v128.load(at + load<u32>(four, 4)), v128.load(at + load<u32>(four)));
      const b = i32x4.sub(v128.load(at + load<u32>(four, 12)), v128.load(at + load<u32>(four, 8)));
      const v = v128.load64_splat(weights + (k << 4));
      const w = v128.load64_splat(weights + (k << 4), 8);
      const first = f64x2.mul(f64x2.convert_low_i32x4_s(a), v);
      low = f64x2.add(low, f64x2.add(first, f64x2.mul(f64x2.convert_low_i32x4_s(b), w)));
      high = f64x2.add(high, f64x2.add(f64x2.mul(upper(a), v), f64x2.mul(upper(b), w)));
    }
    v128.store(to, low);
    v128.store(to, high, 16);
  }
}

/** Sums of levels as levels, truncated as everywhere in ImageNet-C. */
export function sumsToLevels(sums: usize, count: usize, to: usize): void {
  const most = f64x2.splat(255);
  for (let i: usize = 0; i < count; i += 2) {
    const share = f64x2.div(v128.load(sums + (i << 3)), most);
    const clipped = f64x2.min(f64x2.max(share, f64x2.splat(0)), f64x2.splat(1));
    const whole = i32x4.trunc_sat_f64x2_s_zero(f64x2.mul(clipped, most));
    store<u8>(to + i, u8(i32x4.extract_lane(whole, 0)));
    store<u8>(to + i, u8(i32x4.extract_lane(whole, 1)), 1);
  }
}
