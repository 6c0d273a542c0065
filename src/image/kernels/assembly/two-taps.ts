// Enlarging with two taps a pixel, a · (2^22 − w) + b · w: Pillow's sum is a · 2^22 + (b − a) · w, so one multiplication of pairs
// gives what two give elsewhere. With w = high · 2^7 + low the pair is ((b − a) · 2^7, b − a) · (high, low).

// @ts-ignore: decorator
@inline
function moved(a: v128, b: v128, weights0: v128, weights1: v128): v128 {
  const half = i32x4.splat(1 << 21);
  const step = i16x8.sub(b, a);
  const large = i16x8.shl(step, 7);
  const pairs0 = i16x8.shuffle(large, step, 0, 8, 1, 9, 2, 10, 3, 11);
  const pairs1 = i16x8.shuffle(large, step, 4, 12, 5, 13, 6, 14, 7, 15);
  const sum0 = i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(pairs0, weights0), half), 22);
  const sum1 = i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(pairs1, weights1), half), 22);
  return i16x8.add(a, i16x8.narrow_i32x4_s(sum0, sum1));
}

/**
 * Rows of bytes, eight outputs a group: `groups` has for each, 16 bytes each, its offset in a source row, where its first and
 * where its second taps lie in the 16 bytes from there, and the pairs of weights of either half. A target row has room for
 * whole groups.
 */
export function twoTapColumns(
  source: usize,
  sourceStride: usize,
  target: usize,
  targetStride: usize,
  rows: i32,
  groups: usize,
  count: i32,
): void {
  for (let g = 0; g < count; g++) {
    const group = groups + <usize>g * 80;
    const firstTaps = v128.load(group, 16);
    const secondTaps = v128.load(group, 32);
    const weights0 = v128.load(group, 48);
    const weights1 = v128.load(group, 64);
    let from = source + <usize>load<u32>(group);
    let to = target + (<usize>g << 3);
    for (let y = 0; y < rows; y++) {
      const bytes = v128.load(from);
      const out = moved(i8x16.swizzle(bytes, firstTaps), i8x16.swizzle(bytes, secondTaps), weights0, weights1);
      v128.store64_lane(to, i8x16.narrow_i16x8_u(out, out), 0);
      from += sourceStride;
      to += targetStride;
    }
  }
}

/** One output row of two rows; `weights` is the pair of the second. Writes up to 15 bytes past the row. */
// @ts-ignore: decorator
@inline
export function twoTapRow(first: usize, second: usize, target: usize, bytes: i32, weights: usize): void {
  const pair = v128.load32_splat(weights);
  for (let x: usize = 0; x < <usize>bytes; x += 16) {
    const a = v128.load(first + x);
    const b = v128.load(second + x);
    const low = moved(i16x8.extend_low_i8x16_u(a), i16x8.extend_low_i8x16_u(b), pair, pair);
    const high = moved(i16x8.extend_high_i8x16_u(a), i16x8.extend_high_i8x16_u(b), pair, pair);
    v128.store(target + x, i8x16.narrow_i16x8_u(low, high));
  }
}
