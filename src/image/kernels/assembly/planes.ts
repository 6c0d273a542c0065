import { mask0, mask1, mask2 } from './region';

// 16 pixels of three channels are taken apart into planes, worked on, and put together again.

export let red: v128 = i8x16.splat(0);
export let green: v128 = i8x16.splat(0);
export let blue: v128 = i8x16.splat(0);

// @ts-ignore: decorator
@inline
export function loadPlanes(at: usize): void {
  const a = v128.load(at);
  const b = v128.load(at, 16);
  const c = v128.load(at, 32);
  red = v128.or(
    v128.or(
      i8x16.swizzle(a, i8x16(0, 3, 6, 9, 12, 15, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16)),
      i8x16.swizzle(b, i8x16(16, 16, 16, 16, 16, 16, 2, 5, 8, 11, 14, 16, 16, 16, 16, 16)),
    ),
    i8x16.swizzle(c, i8x16(16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 1, 4, 7, 10, 13)),
  );
  green = v128.or(
    v128.or(
      i8x16.swizzle(a, i8x16(1, 4, 7, 10, 13, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16)),
      i8x16.swizzle(b, i8x16(16, 16, 16, 16, 16, 0, 3, 6, 9, 12, 15, 16, 16, 16, 16, 16)),
    ),
    i8x16.swizzle(c, i8x16(16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 2, 5, 8, 11, 14)),
  );
  blue = v128.or(
    v128.or(
      i8x16.swizzle(a, i8x16(2, 5, 8, 11, 14, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16)),
      i8x16.swizzle(b, i8x16(16, 16, 16, 16, 16, 1, 4, 7, 10, 13, 16, 16, 16, 16, 16, 16)),
    ),
    i8x16.swizzle(c, i8x16(16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 0, 3, 6, 9, 12, 15)),
  );
}

// @ts-ignore: decorator
@inline
function interleave0(r: v128, g: v128, b: v128): v128 {
  return v128.or(
    v128.or(
      i8x16.swizzle(r, i8x16(0, 16, 16, 1, 16, 16, 2, 16, 16, 3, 16, 16, 4, 16, 16, 5)),
      i8x16.swizzle(g, i8x16(16, 0, 16, 16, 1, 16, 16, 2, 16, 16, 3, 16, 16, 4, 16, 16)),
    ),
    i8x16.swizzle(b, i8x16(16, 16, 0, 16, 16, 1, 16, 16, 2, 16, 16, 3, 16, 16, 4, 16)),
  );
}
// @ts-ignore: decorator
@inline
function interleave1(r: v128, g: v128, b: v128): v128 {
  return v128.or(
    v128.or(
      i8x16.swizzle(r, i8x16(16, 16, 6, 16, 16, 7, 16, 16, 8, 16, 16, 9, 16, 16, 10, 16)),
      i8x16.swizzle(g, i8x16(5, 16, 16, 6, 16, 16, 7, 16, 16, 8, 16, 16, 9, 16, 16, 10)),
    ),
    i8x16.swizzle(b, i8x16(16, 5, 16, 16, 6, 16, 16, 7, 16, 16, 8, 16, 16, 9, 16, 16)),
  );
}
// @ts-ignore: decorator
@inline
function interleave2(r: v128, g: v128, b: v128): v128 {
  return v128.or(
    v128.or(
      i8x16.swizzle(r, i8x16(16, 11, 16, 16, 12, 16, 16, 13, 16, 16, 14, 16, 16, 15, 16, 16)),
      i8x16.swizzle(g, i8x16(16, 16, 11, 16, 16, 12, 16, 16, 13, 16, 16, 14, 16, 16, 15, 16)),
    ),
    i8x16.swizzle(b, i8x16(10, 16, 16, 11, 16, 16, 12, 16, 16, 13, 16, 16, 14, 16, 16, 15)),
  );
}

// @ts-ignore: decorator
@inline
export function storePlanes(at: usize, r: v128, g: v128, b: v128): void {
  v128.store(at, interleave0(r, g, b));
  v128.store(at, interleave1(r, g, b), 16);
  v128.store(at, interleave2(r, g, b), 32);
}

// @ts-ignore: decorator
@inline
export function storeRegion(at: usize, r: v128, g: v128, b: v128, m: v128): void {
  v128.store(at, v128.bitselect(interleave0(r, g, b), v128.load(at), mask0(m)));
  v128.store(at, v128.bitselect(interleave1(r, g, b), v128.load(at, 16), mask1(m)), 16);
  v128.store(at, v128.bitselect(interleave2(r, g, b), v128.load(at, 32), mask2(m)), 32);
}

/** Bytes 4·part … 4·part + 3 as integers. */
// @ts-ignore: decorator
@inline
export function quarter(v: v128, part: i32): v128 {
  const words = part < 2 ? i16x8.extend_low_i8x16_u(v) : i16x8.extend_high_i8x16_u(v);
  return (part & 1) === 0 ? i32x4.extend_low_i16x8_u(words) : i32x4.extend_high_i16x8_u(words);
}

// @ts-ignore: decorator
@inline
export function pack(q0: v128, q1: v128, q2: v128, q3: v128): v128 {
  return i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_s(q0, q1), i16x8.narrow_i32x4_s(q2, q3));
}
