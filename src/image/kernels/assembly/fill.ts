// The search of the patch-based filling (src/image/fill/). A pixel is four bytes: red, green, blue, texture. A patch is
// named by its top-left pixel; where it is copied from is kept as y << 16 | x in `nearest`, −1 where none is sought.

import { rowSquares, shiftCost, total } from './fill-distance';

let state: u32 = 1;

// @ts-ignore: decorator
@inline
function below(limit: i32): i32 {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return i32((u64(state) * u64(limit)) >> 32);
}

/** Sum of squared differences of two patches; once it has come to `limit` the rest is left out. */
// @ts-ignore: decorator
@inline
function distanceOf(pixels: usize, a: i32, b: i32, width: i32, side: i32, limit: u32): u32 {
  const pa = pixels + (usize(a) << 2);
  const pb = pixels + (usize(b) << 2);
  const stride = usize(width) << 2;
  if (side == 7) return distance7(pa, pb, stride, limit);
  return side == 5 ? distance5(pa, pb, stride, limit) : distance3(pa, pb, stride);
}

function distance7(pa: usize, pb: usize, stride: usize, limit: u32): u32 {
  let sum = rowSquares(7, pa, pb);
  for (let row = 1; row < 7; row += 2) {
    sum = i32x4.add(sum, rowSquares(7, pa + stride, pb + stride));
    pa += stride << 1;
    pb += stride << 1;
    sum = i32x4.add(sum, rowSquares(7, pa, pb));
    const reached = total(sum);
    if (reached >= limit) return reached;
  }
  return total(sum);
}

function distance5(pa: usize, pb: usize, stride: usize, limit: u32): u32 {
  let sum = i32x4.splat(0);
  for (let row = 0; row < 5; row++, pa += stride, pb += stride) {
    sum = i32x4.add(sum, rowSquares(5, pa, pb));
    if (row == 2) {
      const reached = total(sum);
      if (reached >= limit) return reached;
    }
  }
  return total(sum);
}

function distance3(pa: usize, pb: usize, stride: usize): u32 {
  const upper = i32x4.add(rowSquares(3, pa, pb), rowSquares(3, pa + stride, pb + stride));
  return total(i32x4.add(upper, rowSquares(3, pa + 2 * stride, pb + 2 * stride)));
}

let bestDistance: u32 = 0;
let bestSource: i32 = 0;

// @ts-ignore: decorator
@inline
function consider(
  pixels: usize, isSource: usize, width: i32, height: i32, side: i32, target: i32, x: i32, y: i32, sx: i32, sy: i32,
): void {
  if (u32(sx) >= u32(width) || u32(sy) >= u32(height)) return;
  const at = sy * width + sx;
  if (!load<u8>(isSource + usize(at))) return;
  const cost = shiftCost(sx - x, sy - y);
  if (cost >= bestDistance) return;
  const d = distanceOf(pixels, target, at, width, side, bestDistance - cost) + cost;
  if (d < bestDistance) {
    bestDistance = d;
    bestSource = (sy << 16) | sx;
  }
}

// @ts-ignore: decorator
@inline
function rowOf(side: i32, pa: usize, pb: usize): u32 {
  return total(side == 7 ? rowSquares(7, pa, pb) : side == 5 ? rowSquares(5, pa, pb) : rowSquares(3, pa, pb));
}

/**
 * Takes the distance that a patch has when it is copied with its neighbour's shift: only the row that the two do not
 * share on either end differs. `pa` and `pb` are the first row of the earlier patch and of its source.
 */
// @ts-ignore: decorator
@inline
function carried(distance: u32, pa: usize, pb: usize, stride: usize, side: i32, step: i32): u32 {
  const shared = stride * usize(side);
  const before = rowOf(side, pa, pb);
  const after = rowOf(side, pa + shared, pb + shared);
  return step > 0 ? distance - before + after : distance - after + before;
}

/** Pixels by columns, so that a column of a patch can be read as a row. */
function turn(pixels: usize, width: i32, height: i32, turned: usize): void {
  for (let y = 0; y < height; y += 4) {
    for (let x = 0; x < width; x += 4) {
      const from = pixels + (usize(y * width + x) << 2);
      const to = turned + (usize(x * height + y) << 2);
      if (y + 4 > height || x + 4 > width) {
        for (let v = 0; v < min(4, height - y); v++) {
          for (let u = 0; u < min(4, width - x); u++) {
            store<u32>(to + (usize(u * height + v) << 2), load<u32>(from + (usize(v * width + u) << 2)));
          }
        }
        continue;
      }
      const row = usize(width) << 2;
      const a = v128.load(from);
      const b = v128.load(from + row);
      const c = v128.load(from + 2 * row);
      const d = v128.load(from + 3 * row);
      const ab = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
      const cd = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
      const abRight = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
      const cdRight = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
      const column = usize(height) << 2;
      v128.store(to, v128.shuffle<i64>(ab, cd, 0, 2));
      v128.store(to + column, v128.shuffle<i64>(ab, cd, 1, 3));
      v128.store(to + 2 * column, v128.shuffle<i64>(abRight, cdRight, 0, 2));
      v128.store(to + 3 * column, v128.shuffle<i64>(abRight, cdRight, 1, 3));
    }
  }
}

/**
 * Nearest source patches by propagation and random search (Barnes et al. 2009), starting from what `nearest` holds.
 * `anywhere` also tries one patch of the whole frame a round. `turned` has room for the pixels once more.
 */
export function fillSearch(
  pixels: usize, width: i32, height: i32, side: i32, targets: usize, targetCount: i32,
  sources: usize, sourceCount: i32, isSource: usize, nearest: usize, distances: usize,
  turned: usize, rounds: i32, radius: i32, anywhere: i32, seed: u32,
): void {
  state = seed | 1;
  const last = width * height;
  const row = usize(width) << 2;
  const column = usize(height) << 2;
  turn(pixels, width, height, turned);
  for (let i = 0; i < targetCount; i++) {
    const target = load<i32>(targets + (usize(i) << 2));
    const at = usize(target) << 2;
    const source = load<i32>(nearest + at);
    const y = target / width;
    const x = target - y * width;
    const sy = source >> 16;
    const sx = source & 0xffff;
    const from = usize(sy * width + sx) << 2;
    let d: u32 = 0;
    if (y > 0 && load<i32>(nearest + at - row) == source - 0x10000) {
      d = carried(load<u32>(distances + at - row), pixels + at - row, pixels + from - row, row, side, 1);
    } else if (x > 0 && sx > 0 && load<i32>(nearest + at - 4) == source - 1) {
      const pa = turned + (usize((x - 1) * height + y) << 2);
      const pb = turned + (usize((sx - 1) * height + sy) << 2);
      d = carried(load<u32>(distances + at - 4), pa, pb, column, side, 1);
    } else {
      d = distanceOf(pixels, target, sy * width + sx, width, side, u32.MAX_VALUE) + shiftCost(sx - x, sy - y);
    }
    store<u32>(distances + at, d);
  }
  for (let round = 0; round < rounds; round++) {
    const forward = (round & 1) == 0;
    const step = forward ? 1 : -1;
    for (let k = 0; k < targetCount; k++) {
      const target = load<i32>(targets + (usize(forward ? k : targetCount - 1 - k) << 2));
      const at = usize(target) << 2;
      bestDistance = load<u32>(distances + at);
      if (bestDistance == 0) continue;
      bestSource = load<i32>(nearest + at);
      const y = target / width;
      const x = target - y * width;
      for (let axis = 0; axis < 2; axis++) {
        const neighbour = target - (axis == 0 ? step : step * width);
        if (u32(neighbour) >= u32(last)) continue;
        const theirs = load<i32>(nearest + (usize(neighbour) << 2));
        if (theirs < 0) continue;
        const sx = (theirs & 0xffff) + (axis == 0 ? step : 0);
        const sy = (theirs >> 16) + (axis == 0 ? 0 : step);
        const source = (sy << 16) | sx;
        if (source == bestSource || u32(sx) >= u32(width) || u32(sy) >= u32(height)) continue;
        if (!load<u8>(isSource + usize(sy * width + sx))) continue;
        const known = load<u32>(distances + (usize(neighbour) << 2));
        let d: u32 = 0;
        if (axis == 0) {
          const pa = turned + (usize((forward ? x - 1 : x) * height + y) << 2);
          const pb = turned + (usize((forward ? sx - 1 : sx) * height + sy) << 2);
          d = carried(known, pa, pb, column, side, step);
        } else {
          const pa = pixels + (usize((forward ? y - 1 : y) * width + x) << 2);
          const pb = pixels + (usize((forward ? sy - 1 : sy) * width + sx) << 2);
          d = carried(known, pa, pb, row, side, step);
        }
        if (d < bestDistance) {
          bestDistance = d;
          bestSource = source;
        }
      }
      if (anywhere) {
        const source = load<i32>(sources + (usize(below(sourceCount)) << 2));
        consider(pixels, isSource, width, height, side, target, x, y, source & 0xffff, source >> 16);
      }
      for (let reach = radius; reach >= 1; reach >>= 1) {
        const sx = (bestSource & 0xffff) + below(2 * reach + 1) - reach;
        const sy = (bestSource >> 16) + below(2 * reach + 1) - reach;
        consider(pixels, isSource, width, height, side, target, x, y, sx, sy);
      }
      store<u32>(distances + at, bestDistance);
      store<i32>(nearest + at, bestSource);
    }
  }
}
