// What the patch-based filling looks at before it begins (src/image/fill/hole.ts, pyramid.ts): texture, half sizes,
// and how much of the surroundings patches cover. Holes are bytes of 255 (missing) and 0.
import { difference } from './fill-distance';

/** How far apart each of four pixels is from another, over their bytes; −1 is where both are known. */
// @ts-ignore: decorator
@inline
function apart(a: usize, b: usize, known: v128): v128 {
  const bytes = difference(v128.load(a), v128.load(b));
  return v128.and(i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes)), known);
}

/** −1 for each of four pixels that is known. */
// @ts-ignore: decorator
@inline
function knownOf(hole: usize): v128 {
  const four = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(hole)));
  return i32x4.eq(four, i32x4.splat(0));
}

/** Each of four numbers with those before it added. */
// @ts-ignore: decorator
@inline
function running(four: v128): v128 {
  const zero = i32x4.splat(0);
  const two = i32x4.add(four, v128.shuffle<i32>(zero, four, 0, 4, 5, 6));
  return i32x4.add(two, v128.shuffle<i32>(zero, two, 0, 1, 4, 5));
}

/** The sum over a window of a summed-area table for each of four columns. */
// @ts-ignore: decorator
@inline
function windowSums(table: usize, a: usize, b: usize, c: usize, d: usize): v128 {
  const upper = i32x4.sub(v128.load(table + b), v128.load(table + d));
  return i32x4.sub(i32x4.sub(v128.load(table + a), v128.load(table + c)), upper);
}

/**
 * The texture channel, which is 0 before. `sums` and `counts` are summed-area tables of (width + 1) · (height + 1) integers
 * and four more, whose first row and column are zero.
 */
export function fillTexture(
  pixels: usize, hole: usize, width: i32, height: i32, sums: usize, counts: usize, reach: i32, gain: f64,
): void {
  const columns = width + 1;
  const row = usize(width);
  for (let y = 0; y < height; y++) {
    let rowSum = i32x4.splat(0);
    let rowCount = i32x4.splat(0);
    for (let x = 0; x < width; x += 4) {
      const i = usize(y * width + x);
      const at = pixels + (i << 2);
      const here = v128.and(knownOf(hole + i), i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(width - x)));
      const notLast = i32x4.lt_s(i32x4(1, 2, 3, 4), i32x4.splat(width - x));
      const beside = v128.and(v128.and(here, knownOf(hole + i + 1)), notLast);
      let sum = apart(at, at + 4, beside);
      let count = beside;
      if (y + 1 < height) {
        const under = v128.and(here, knownOf(hole + i + row));
        sum = i32x4.add(sum, apart(at, at + (row << 2), under));
        count = i32x4.add(count, under);
      }
      rowSum = i32x4.add(v128.shuffle<i32>(rowSum, rowSum, 3, 3, 3, 3), running(sum));
      rowCount = i32x4.sub(v128.shuffle<i32>(rowCount, rowCount, 3, 3, 3, 3), running(count));
      const above = usize(y * columns + x + 1) << 2;
      const below = above + (usize(columns) << 2);
      // Up to three columns too many: the next row's first column is made zero again below, the rest is written later.
      v128.store(sums + below, i32x4.add(v128.load(sums + above), rowSum));
      v128.store(counts + below, i32x4.add(v128.load(counts + above), rowCount));
    }
    const next = usize((y + 2) * columns) << 2;
    store<u32>(sums + next, 0);
    store<u32>(counts + next, 0);
  }
  for (let y = 0; y < height; y++) {
    const top = max(0, y - reach) * columns;
    const bottom = min(height, y + reach + 1) * columns;
    for (let x = 0; x < width; ) {
      const left = max(0, x - reach);
      const right = min(width, x + reach + 1);
      // Four pixels at a time where all their windows have the same width.
      const four = x >= reach && x + reach + 4 <= width;
      const a = usize(bottom + right) << 2;
      const b = usize(top + right) << 2;
      const c = usize(bottom + left) << 2;
      const d = usize(top + left) << 2;
      const count = windowSums(counts, a, b, c, d);
      const sum = windowSums(sums, a, b, c, d);
      const to = pixels + (usize(y * width + x) << 2);
      const level = f32x4.div(
        f32x4.mul(f32x4.convert_i32x4_u(sum), f32x4.splat(f32(gain))),
        f32x4.mul(f32x4.convert_i32x4_u(count), f32x4.splat(3)),
      );
      const doubt = f32x4.lt(f32x4.abs(f32x4.sub(f32x4.sub(level, f32x4.floor(level)), f32x4.splat(0.5))), f32x4.splat(inDoubt));
      if (four && !v128.any_true(doubt)) {
        const whole = i32x4.min_s(i32x4.trunc_sat_f32x4_s(f32x4.add(level, f32x4.splat(0.5))), i32x4.splat(255));
        const counted = v128.andnot(i32x4.shl(whole, 24), i32x4.eq(count, i32x4.splat(0)));
        v128.store(to, v128.or(v128.load(to), counted));
        x += 4;
        continue;
      }
      const its = i32x4.extract_lane(count, 0);
      if (its) store<u8>(to, texture((f64(u32(i32x4.extract_lane(sum, 0))) / f64(its) / 3) * gain), 3);
      x++;
    }
  }
}

/**
 * A level this near to the middle between two whole ones is found in double precision. Single precision is off by less, and
 * a level that is not right in the middle, being a fraction of whole numbers, is further from it.
 */
const inDoubt: f32 = 1e-4;

// @ts-ignore: decorator
@inline
function texture(value: f64): u8 {
  const whole = floor(value);
  return u8(min<f64>(255, value - whole >= 0.5 ? whole + 1 : whole));
}

/** Half the size of pixels and hole; only known pixels are averaged, and more than `knownShare` of four stay known. */
export function fillHalve(
  pixels: usize, hole: usize, width: i32, height: i32, knownShare: f64, toPixels: usize, toHole: usize,
): void {
  const w = (width + 1) >> 1;
  const h = (height + 1) >> 1;
  for (let y = 0; y < h; y++) {
    const bottom = min(2 * y + 2, height);
    for (let x = 0; x < w; x++) {
      const right = min(2 * x + 2, width);
      let sum = i32x4.splat(0);
      let known: i32 = 0;
      for (let v = 2 * y; v < bottom; v++) {
        for (let u = 2 * x; u < right; u++) {
          const i = usize(v * width + u);
          if (load<u8>(hole + i)) continue;
          known++;
          const own = v128.load32_zero(pixels + (i << 2));
          sum = i32x4.add(sum, i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(own)));
        }
      }
      const o = usize(y * w + x);
      store<u8>(toHole + o, f64(known) <= knownShare * f64((bottom - 2 * y) * (right - 2 * x)) ? 255 : 0);
      if (known == 0) {
        store<u32>(toPixels + (o << 2), 0);
        continue;
      }
      // Whole numbers: (sum + known / 2) / known, what is left over dropped.
      const twice = i32x4.add(i32x4.add(sum, sum), i32x4.splat(known));
      const divisor = 2 * known;
      store<u8>(toPixels + (o << 2), u8(i32x4.extract_lane(twice, 0) / divisor));
      store<u8>(toPixels + (o << 2), u8(i32x4.extract_lane(twice, 1) / divisor), 1);
      store<u8>(toPixels + (o << 2), u8(i32x4.extract_lane(twice, 2) / divisor), 2);
      store<u8>(toPixels + (o << 2), u8(i32x4.extract_lane(twice, 3) / divisor), 3);
    }
  }
}

/**
 * How many known pixels within `reach` of the hole there are, and how many of them lie in a source patch: those in the
 * upper half of the result. `corners` has (width + 1) · (height + 1) integers, all zero.
 */
export function fillCoverage(
  hole: usize, near: usize, width: i32, height: i32, side: i32, sources: usize, sourceCount: i32,
  reach: i32, corners: usize, counted: usize,
): void {
  const columns = width + 1;
  for (let i = 0; i < sourceCount; i++) {
    const source = load<i32>(sources + (usize(i) << 2));
    const at = corners + (usize((source >> 16) * columns + (source & 0xffff)) << 2);
    const right = usize(side) << 2;
    const below = usize(side * columns) << 2;
    store<i32>(at, load<i32>(at) + 1);
    store<i32>(at + right, load<i32>(at + right) - 1);
    store<i32>(at + below, load<i32>(at + below) - 1);
    store<i32>(at + below + right, load<i32>(at + below + right) + 1);
  }
  let known = 0;
  let covered = 0;
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      const at = corners + (usize(y * columns + x) << 2);
      row += load<i32>(at);
      const here = row + (y > 0 ? load<i32>(at - (usize(columns) << 2)) : 0);
      store<i32>(at, here);
      const i = usize(y * width + x);
      if (load<u8>(hole + i) || load<i32>(near + (i << 2)) > reach) continue;
      known++;
      if (here > 0) covered++;
    }
  }
  store<i32>(counted, known);
  store<i32>(counted, covered, 4);
}
