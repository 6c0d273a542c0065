// Patches compared by their products (fill.ts): Σ(a − b)² = Σa² + Σb² − 2Σab, where the squares of all patches are added
// up once a search and up to four patches are multiplied with one at once. `wide` is the picture with two bytes a channel,
// eight a pixel, as the processor multiplies them. Whole numbers throughout, so no order matters.
import { total, totals } from './fill-distance';

/** Stands for the squares of a patch that cannot be copied: larger than any distance, whatever is taken off. */
export const noSource: i32 = 0x40000000;

export function widen(pixels: usize, count: i32, wide: usize): void {
  for (let at: usize = 0; at < usize(count) << 2; at += 16) {
    const four = v128.load(pixels + at);
    v128.store(wide + (at << 1), i16x8.extend_low_i8x16_u(four));
    v128.store(wide + (at << 1), i16x8.extend_high_i8x16_u(four), 16);
  }
}

// @ts-ignore: decorator
@inline
function plusProducts(sum: v128, a: v128, b: v128): v128 {
  return i32x4.add(sum, i32x4.dot_i16x8_s(a, b));
}

/** The last pixel of a row, with zeros for the one after it, which is not part of the patch. */
// @ts-ignore: decorator
@inline
function lastPixel(side: i32, row: usize): v128 {
  if (side == 7) return v128.load64_zero(row, 48);
  return side == 5 ? v128.load64_zero(row, 32) : v128.load64_zero(row, 16);
}

// @ts-ignore: decorator
@inline
function lastTwo(side: i32, row: usize): v128 {
  if (side == 7) return v128.load(row, 48);
  return side == 5 ? v128.load(row, 32) : v128.load(row, 16);
}

// @ts-ignore: decorator
@inline
function productsOf(side: i32, pa: usize, pb: usize, stride: usize): u32 {
  let sum = i32x4.splat(0);
  for (let row = 0; row < side; row++, pa += stride, pb += stride) {
    sum = plusRow(side, sum, v128.load(pa), v128.load(pa, 16), v128.load(pa, 32), lastPixel(side, pa), pb);
  }
  return total(sum);
}

/** Σab of two patches of `wide`. */
export function product(side: i32, pa: usize, pb: usize, stride: usize): u32 {
  if (side == 7) return productsOf(7, pa, pb, stride);
  return side == 5 ? productsOf(5, pa, pb, stride) : productsOf(3, pa, pb, stride);
}

/** A row of a patch, given as its vectors, multiplied with another's at `p`. */
// @ts-ignore: decorator
@inline
function plusRow(side: i32, sum: v128, first: v128, second: v128, third: v128, last: v128, p: usize): v128 {
  let more = plusProducts(sum, first, v128.load(p));
  if (side > 3) more = plusProducts(more, second, v128.load(p, 16));
  if (side > 5) more = plusProducts(more, third, v128.load(p, 32));
  return plusProducts(more, last, lastTwo(side, p));
}

// @ts-ignore: decorator
@inline
function fourOf(side: i32, count: i32, pa: usize, p0: usize, p1: usize, p2: usize, p3: usize, stride: usize): v128 {
  let s0 = i32x4.splat(0);
  let s1 = i32x4.splat(0);
  let s2 = i32x4.splat(0);
  let s3 = i32x4.splat(0);
  for (let row = 0; row < side; row++) {
    const first = v128.load(pa);
    const second = side > 3 ? v128.load(pa, 16) : first;
    const third = side > 5 ? v128.load(pa, 32) : first;
    const last = lastPixel(side, pa);
    s0 = plusRow(side, s0, first, second, third, last, p0);
    s1 = plusRow(side, s1, first, second, third, last, p1);
    s2 = plusRow(side, s2, first, second, third, last, p2);
    if (count > 3) s3 = plusRow(side, s3, first, second, third, last, p3);
    pa += stride;
    p0 += stride;
    p1 += stride;
    p2 += stride;
    if (count > 3) p3 += stride;
  }
  return totals(s0, s1, s2, s3);
}

/** Σab of a patch with each of four others; where `last` is before the fourth, the fourth is left out. */
export function fourProducts(
  side: i32, last: i32, pa: usize, p0: usize, p1: usize, p2: usize, p3: usize, stride: usize,
): v128 {
  if (side == 7) {
    return last == 3 ? fourOf(7, 4, pa, p0, p1, p2, p3, stride) : fourOf(7, 3, pa, p0, p1, p2, p3, stride);
  }
  if (side == 5) {
    return last == 3 ? fourOf(5, 4, pa, p0, p1, p2, p3, stride) : fourOf(5, 3, pa, p0, p1, p2, p3, stride);
  }
  return fourOf(3, 4, pa, p0, p1, p2, p3, stride);
}

/** The squares of each of four pixels, added up. */
// @ts-ignore: decorator
@inline
function pixelSquares(at: usize): v128 {
  const four = v128.load(at);
  const low = i16x8.extend_low_i8x16_u(four);
  const high = i16x8.extend_high_i8x16_u(four);
  const a = i32x4.dot_i16x8_s(low, low);
  const b = i32x4.dot_i16x8_s(high, high);
  return i32x4.add(v128.shuffle<i32>(a, b, 0, 2, 4, 6), v128.shuffle<i32>(a, b, 1, 3, 5, 7));
}

/** Each of four numbers with those after it added, `side` in all. */
// @ts-ignore: decorator
@inline
function plusNext(side: i32, at: usize): v128 {
  const three = i32x4.add(i32x4.add(v128.load(at), v128.load(at, 4)), v128.load(at, 8));
  if (side == 3) return three;
  const five = i32x4.add(three, i32x4.add(v128.load(at, 12), v128.load(at, 16)));
  return side == 5 ? five : i32x4.add(five, i32x4.add(v128.load(at, 20), v128.load(at, 24)));
}

/**
 * Σa² of every patch, by its first pixel. `columns` has room for a row of integers and `side` more. All four are read and
 * written at a time, so up to three numbers past a row and its end are touched and mean nothing.
 */
export function patchSquares(pixels: usize, width: i32, height: i32, side: i32, columns: usize, out: usize): void {
  const row = usize(width) << 2;
  memory.fill(columns, 0, row + 64);
  for (let y = 0; y < height; y++) {
    const at = pixels + usize(y) * row;
    const top = y - side + 1;
    for (let x: usize = 0; x < row; x += 16) {
      let sum = i32x4.add(v128.load(columns + x), pixelSquares(at + x));
      if (top > 0) sum = i32x4.sub(sum, pixelSquares(at + x - usize(side) * row));
      v128.store(columns + x, sum);
    }
    if (top < 0) continue;
    const to = out + usize(top) * row;
    for (let x: usize = 0; x < row; x += 16) {
      v128.store(to + x, plusNext(side, columns + x));
    }
  }
}
