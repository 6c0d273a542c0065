/** 16 mask bytes for 16 pixels → three vectors of 16 bytes, one mask byte for each channel. */
// @ts-ignore: decorator
@inline
export function mask0(m: v128): v128 {
  return i8x16.swizzle(m, i8x16(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5));
}
// @ts-ignore: decorator
@inline
export function mask1(m: v128): v128 {
  return i8x16.swizzle(m, i8x16(5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10));
}
// @ts-ignore: decorator
@inline
export function mask2(m: v128): v128 {
  return i8x16.swizzle(m, i8x16(10, 11, 11, 11, 12, 12, 12, 13, 13, 13, 14, 14, 14, 15, 15, 15));
}

/**
 * `target` takes the pixels of `source` where mask ^ invert is 255. Works in steps of 16 pixels, so that both pictures
 * and the mask need room after their end.
 */
export function blend(target: usize, source: usize, mask: usize, invert: i32, pixels: i32): void {
  const flip = i8x16.splat(<i8>invert);
  for (let i = 0; i < pixels; i += 16) {
    const m = v128.xor(v128.load(mask + <usize>i), flip);
    if (v128.any_true(m)) {
      const t = target + <usize>i * 3;
      const s = source + <usize>i * 3;
      if (i8x16.all_true(m)) {
        v128.store(t, v128.load(s));
        v128.store(t, v128.load(s, 16), 16);
        v128.store(t, v128.load(s, 32), 32);
      } else {
        v128.store(t, v128.bitselect(v128.load(s), v128.load(t), mask0(m)));
        v128.store(t, v128.bitselect(v128.load(s, 16), v128.load(t, 16), mask1(m)), 16);
        v128.store(t, v128.bitselect(v128.load(s, 32), v128.load(t, 32), mask2(m)), 32);
      }
    }
  }
}
