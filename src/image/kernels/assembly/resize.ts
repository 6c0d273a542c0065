// Pillow's two passes. A 22-bit weight is split into weight = high · 2^11 + low, so that sixteen-bit multiplications do;
// the integer sum is the same. Weights come in pairs of taps: [high0, high1, low0, low1] as i16.

import { tensor } from './table';
import { twoTapRow } from './two-taps';

const SPLIT: i32 = 11;
const PRECISION: i32 = 22;

// @ts-ignore: decorator
@inline
function finish(high: v128, low: v128): v128 {
  const sum = i32x4.add(i32x4.add(i32x4.shl(high, SPLIT), low), i32x4.splat(1 << (PRECISION - 1)));
  return i32x4.shr_s(sum, PRECISION);
}

// @ts-ignore: decorator
@inline
function store3(at: usize, high: v128, low: v128): void {
  const words = i16x8.narrow_i32x4_s(finish(high, low), i32x4.splat(0));
  v128.store32_lane(at, i8x16.narrow_i16x8_u(words, words), 0);
}

// @ts-ignore: decorator
@inline
function pairOfPixels(at: usize): v128 {
  const order = i8x16(0, 16, 3, 16, 1, 16, 4, 16, 2, 16, 5, 16, 16, 16, 16, 16);
  return i8x16.swizzle(v128.load64_zero(at), order);
}

/** Three interleaved channels; each output pixel writes one byte too many, which its neighbour then overwrites. */
export function resampleColumns3(
  source: usize,
  sourceStride: usize,
  target: usize,
  targetStride: usize,
  rows: i32,
  width: i32,
  offsets: usize,
  pairs: i32,
  weights: usize,
): void {
  let y = 0;
  for (; y + 4 <= rows; y += 4) {
    const s0 = source + <usize>y * sourceStride;
    const s1 = s0 + sourceStride;
    const s2 = s1 + sourceStride;
    const s3 = s2 + sourceStride;
    let t0 = target + <usize>y * targetStride;
    let w = weights;
    for (let x = 0; x < width; x++) {
      let at = <usize>load<u32>(offsets + (<usize>x << 2));
      let h0 = i32x4.splat(0);
      let h1 = i32x4.splat(0);
      let h2 = i32x4.splat(0);
      let h3 = i32x4.splat(0);
      let l0 = i32x4.splat(0);
      let l1 = i32x4.splat(0);
      let l2 = i32x4.splat(0);
      let l3 = i32x4.splat(0);
      for (let k = 0; k < pairs; k++) {
        const high = v128.load32_splat(w);
        const low = v128.load32_splat(w, 4);
        const p0 = pairOfPixels(s0 + at);
        const p1 = pairOfPixels(s1 + at);
        const p2 = pairOfPixels(s2 + at);
        const p3 = pairOfPixels(s3 + at);
        h0 = i32x4.add(h0, i32x4.dot_i16x8_s(p0, high));
        h1 = i32x4.add(h1, i32x4.dot_i16x8_s(p1, high));
        h2 = i32x4.add(h2, i32x4.dot_i16x8_s(p2, high));
        h3 = i32x4.add(h3, i32x4.dot_i16x8_s(p3, high));
        l0 = i32x4.add(l0, i32x4.dot_i16x8_s(p0, low));
        l1 = i32x4.add(l1, i32x4.dot_i16x8_s(p1, low));
        l2 = i32x4.add(l2, i32x4.dot_i16x8_s(p2, low));
        l3 = i32x4.add(l3, i32x4.dot_i16x8_s(p3, low));
        w += 8;
        at += 6;
      }
      // The last pixel's spare byte falls on the next row's first pixel: rows that are already written need three bytes.
      const words01 = i16x8.narrow_i32x4_s(finish(h0, l0), finish(h1, l1));
      const words23 = i16x8.narrow_i32x4_s(finish(h2, l2), finish(h3, l3));
      const bytes = i8x16.narrow_i16x8_u(words01, words23);
      if (x + 1 < width) {
        v128.store32_lane(t0, bytes, 0);
        v128.store32_lane(t0 + targetStride, bytes, 1);
        v128.store32_lane(t0 + 2 * targetStride, bytes, 2);
        v128.store32_lane(t0 + 3 * targetStride, bytes, 3);
      } else {
        v128.store16_lane(t0, bytes, 0);
        v128.store8_lane(t0 + 2, bytes, 2);
        v128.store16_lane(t0 + targetStride, bytes, 2);
        v128.store8_lane(t0 + targetStride + 2, bytes, 6);
        v128.store16_lane(t0 + 2 * targetStride, bytes, 4);
        v128.store8_lane(t0 + 2 * targetStride + 2, bytes, 10);
        v128.store16_lane(t0 + 3 * targetStride, bytes, 6);
        v128.store8_lane(t0 + 3 * targetStride + 2, bytes, 14);
      }
      t0 += 3;
    }
  }
  for (; y < rows; y++) {
    const row = source + <usize>y * sourceStride;
    let to = target + <usize>y * targetStride;
    let w = weights;
    for (let x = 0; x < width; x++) {
      let at = row + <usize>load<u32>(offsets + (<usize>x << 2));
      let high = i32x4.splat(0);
      let low = i32x4.splat(0);
      for (let k = 0; k < pairs; k++) {
        const p = pairOfPixels(at);
        high = i32x4.add(high, i32x4.dot_i16x8_s(p, v128.load32_splat(w)));
        low = i32x4.add(low, i32x4.dot_i16x8_s(p, v128.load32_splat(w, 4)));
        w += 8;
        at += 6;
      }
      store3(to, high, low);
      to += 3;
    }
  }
}

export function resampleColumns1(
  source: usize,
  sourceStride: usize,
  target: usize,
  targetStride: usize,
  rows: i32,
  width: i32,
  offsets: usize,
  pairs: i32,
  weights: usize,
): void {
  for (let y = 0; y < rows; y++) {
    const row = source + <usize>y * sourceStride;
    const to = target + <usize>y * targetStride;
    let w = weights;
    for (let x = 0; x < width; x++) {
      let at = row + <usize>load<u32>(offsets + (<usize>x << 2));
      let high = 0;
      let low = 0;
      for (let k = 0; k < pairs; k++) {
        const p0 = <i32>load<u8>(at);
        const p1 = <i32>load<u8>(at, 1);
        high += p0 * <i32>load<i16>(w) + p1 * <i32>load<i16>(w, 2);
        low += p0 * <i32>load<i16>(w, 4) + p1 * <i32>load<i16>(w, 6);
        w += 8;
        at += 2;
      }
      const sum = ((high << SPLIT) + low + (1 << (PRECISION - 1))) >> PRECISION;
      store<u8>(to + x, <u8>max(0, min(255, sum)));
    }
  }
}

/** One output row, any channels: whole rows are combined. Writes up to 15 bytes past it. */
// @ts-ignore: decorator
@inline
function row(from: usize, stride: usize, to: usize, bytes: i32, pairs: i32, rowWeights: usize): void {
  for (let x = 0; x < bytes; x += 16) {
    let at = from + <usize>x;
    let h0 = i32x4.splat(0);
    let h1 = i32x4.splat(0);
    let h2 = i32x4.splat(0);
    let h3 = i32x4.splat(0);
    let l0 = i32x4.splat(0);
    let l1 = i32x4.splat(0);
    let l2 = i32x4.splat(0);
    let l3 = i32x4.splat(0);
    let w = rowWeights;
    for (let k = 0; k < pairs; k++) {
      const high = v128.load32_splat(w);
      const low = v128.load32_splat(w, 4);
      const a = v128.load(at);
      const b = v128.load(at + stride);
      const ab0 = i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      const ab1 = i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      const p0 = i16x8.extend_low_i8x16_u(ab0);
      const p1 = i16x8.extend_high_i8x16_u(ab0);
      const p2 = i16x8.extend_low_i8x16_u(ab1);
      const p3 = i16x8.extend_high_i8x16_u(ab1);
      h0 = i32x4.add(h0, i32x4.dot_i16x8_s(p0, high));
      h1 = i32x4.add(h1, i32x4.dot_i16x8_s(p1, high));
      h2 = i32x4.add(h2, i32x4.dot_i16x8_s(p2, high));
      h3 = i32x4.add(h3, i32x4.dot_i16x8_s(p3, high));
      l0 = i32x4.add(l0, i32x4.dot_i16x8_s(p0, low));
      l1 = i32x4.add(l1, i32x4.dot_i16x8_s(p1, low));
      l2 = i32x4.add(l2, i32x4.dot_i16x8_s(p2, low));
      l3 = i32x4.add(l3, i32x4.dot_i16x8_s(p3, low));
      at += 2 * stride;
      w += 8;
    }
    const words0 = i16x8.narrow_i32x4_s(finish(h0, l0), finish(h1, l1));
    const words1 = i16x8.narrow_i32x4_s(finish(h2, l2), finish(h3, l3));
    v128.store(to + <usize>x, i8x16.narrow_i16x8_u(words0, words1));
  }
}

/**
 * Every output row from the row of `firstRows` on. `twoTaps`, where it is not 0, has the pair of weights of each row's second tap
 * (see two-taps.ts). Writes up to 15 bytes past the last row.
 */
export function resampleRows(
  source: usize,
  stride: usize,
  target: usize,
  bytes: i32,
  rows: i32,
  firstRows: usize,
  pairs: i32,
  weights: usize,
  twoTaps: usize,
): void {
  for (let y: usize = 0; y < <usize>rows; y++) {
    const from = source + <usize>load<u32>(firstRows + (y << 2)) * stride;
    const to = target + y * <usize>bytes;
    if (twoTaps) twoTapRow(from, from + stride, to, bytes, twoTaps + (y << 2));
    else row(from, stride, to, bytes, pairs, weights + y * <usize>pairs * 8);
  }
}

/** `resampleRows` and `tensor` row by row, so that the bytes between them stay near; `between` has room for one row. */
export function resampleRowsToTensor(
  source: usize,
  stride: usize,
  width: i32,
  rows: i32,
  firstRows: usize,
  pairs: i32,
  weights: usize,
  twoTaps: usize,
  between: usize,
  tables: usize,
  size: i32,
  target: usize,
  planes: i32,
  step: i32,
  swap: i32,
): void {
  for (let y: usize = 0; y < <usize>rows; y++) {
    const from = source + <usize>load<u32>(firstRows + (y << 2)) * stride;
    if (twoTaps) twoTapRow(from, from + stride, between, width * 3, twoTaps + (y << 2));
    else row(from, stride, between, width * 3, pairs, weights + y * <usize>pairs * 8);
    tensor(between, width, tables, size, target + y * <usize>(width * step), planes, step, swap);
  }
}
