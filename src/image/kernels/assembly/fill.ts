// The search of the patch-based filling (src/image/fill/). A pixel is four bytes: red, green, blue, texture. A patch is
// named by its top-left pixel; where it is copied from is kept as y << 16 | x in `nearest`, −1 where none is sought.

import { rowSquares, shiftCost, shiftCosts, total } from './fill-distance';
import { beginDraws, draw } from './fill-draws';
import { fourProducts, noSource, patchSquares, product, widen } from './fill-products';

/** Four numbers, to be looked at one by one. */
const lanes = memory.data(16, 16);

// @ts-ignore: decorator
@inline
function rowOf(side: i32, pa: usize, pb: usize): v128 {
  return side == 7 ? rowSquares(7, pa, pb) : side == 5 ? rowSquares(5, pa, pb) : rowSquares(3, pa, pb);
}

/**
 * Takes the distance that a patch has when it is copied with its neighbour's shift: only the row that the two do not
 * share on either end differs. `pa` and `pb` are the first row of the earlier patch and of its source.
 */
// @ts-ignore: decorator
@inline
function carried(distance: u32, pa: usize, pb: usize, stride: usize, side: i32, step: i32): u32 {
  const shared = stride * usize(side);
  const more = total(i32x4.sub(rowOf(side, pa + shared, pb + shared), rowOf(side, pa, pb)));
  return step > 0 ? distance + more : distance - more;
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

/** Marks patches that cannot be copied from, so that none of them is ever near. */
function markSources(squares: usize, isSource: usize, count: i32, marked: usize): void {
  for (let i: usize = 0; i < usize(count); i += 4) {
    const flags = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(isSource + i)));
    const none = i32x4.eq(flags, i32x4.splat(0));
    v128.store(marked + (i << 2), v128.bitselect(i32x4.splat(noSource), v128.load(squares + (i << 2)), none));
  }
}

// @ts-ignore: decorator
@inline
function patchOf(wide: usize, index: i32): usize {
  return wide + (usize(index) << 3);
}

/**
 * Nearest source patches by propagation and random search (Barnes et al. 2009), starting from what `nearest` holds.
 * `anywhere` also tries one patch of the whole frame a round. `turned` has room for the pixels once more, `wide` for
 * twice as much, `squares` and
 * `marked` for an integer a pixel, `columns` for a row of them.
 */
export function fillSearch(
  pixels: usize, width: i32, height: i32, side: i32, targets: usize, targetCount: i32,
  sources: usize, sourceCount: i32, isSource: usize, nearest: usize, distances: usize,
  turned: usize, wide: usize, squares: usize, marked: usize, columns: usize, rounds: i32, radius: i32, anywhere: i32, seed: u32,
): void {
  const candidates = beginDraws(seed | 1, sources, sourceCount, anywhere, radius);
  const last = width * height;
  const row = usize(width) << 2;
  const column = usize(height) << 2;
  turn(pixels, width, height, turned);
  widen(pixels, last, wide);
  patchSquares(pixels, width, height, side, columns, squares);
  markSources(squares, isSource, last, marked);
  for (let i = 0, y = 0, rowEnd = width; i < targetCount; i++) {
    const target = load<i32>(targets + (usize(i) << 2));
    const at = usize(target) << 2;
    const source = load<i32>(nearest + at);
    for (; target >= rowEnd; rowEnd += width) y++;
    const x = target - rowEnd + width;
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
      const both = load<u32>(squares + at) + load<u32>(squares + from);
      d = both - 2 * product(side, wide + (at << 1), wide + (from << 1), row << 1) + shiftCost(sx - x, sy - y);
    }
    store<u32>(distances + at, d);
  }
  const firstFrom = i32x4.replace_lane(i32x4.splat(-1), 0, anywhere - 1);
  for (let round = 0; round < rounds; round++) {
    const forward = (round & 1) == 0;
    const step = forward ? 1 : -1;
    for (let k = 0; k < targetCount; k++) {
      const target = load<i32>(targets + (usize(forward ? k : targetCount - 1 - k) << 2));
      const at = usize(target) << 2;
      let bestDistance = load<u32>(distances + at);
      if (bestDistance == 0) continue;
      let bestSource = load<i32>(nearest + at);
      const y = target / width;
      const x = target - y * width;
      // What the neighbours beside and above (below and on the other side on the way back) found may do here, too.
      const beside = target - step;
      const upright = target - step * width;
      let besideSource = bestSource;
      let uprightSource = bestSource;
      if (u32(beside) < u32(last)) {
        const theirs = load<i32>(nearest + (usize(beside) << 2));
        const sx = (theirs & 0xffff) + step;
        const sy = theirs >> 16;
        if (theirs >= 0 && u32(sx) < u32(width) && load<u8>(isSource + usize(sy * width + sx))) besideSource = theirs + step;
      }
      if (u32(upright) < u32(last)) {
        const theirs = load<i32>(nearest + (usize(upright) << 2));
        const sx = theirs & 0xffff;
        const sy = (theirs >> 16) + step;
        if (theirs >= 0 && u32(sy) < u32(height) && load<u8>(isSource + usize(sy * width + sx))) {
          uprightSource = theirs + (step << 16);
        }
      }
      // One branch for both: which of them differs is hard to guess, and a distance is soon found.
      if ((besideSource ^ bestSource) | (uprightSource ^ bestSource)) {
        const besides = besideSource != bestSource;
        const uprights = uprightSource != bestSource;
        const left = i32(forward) & i32(besides);
        const above = i32(forward) & i32(uprights);
        const aside = turned + (usize((x - left) * height + y) << 2);
        const asideFrom = turned + (usize(((besideSource & 0xffff) - left) * height + (besideSource >> 16)) << 2);
        const over = pixels + (usize((y - above) * width + x) << 2);
        const overFrom = pixels + (usize(((uprightSource >> 16) - above) * width + (uprightSource & 0xffff)) << 2);
        const besideDistance = carried(load<u32>(distances + (usize(beside) << 2)), aside, asideFrom, column, side, step);
        const uprightDistance = carried(load<u32>(distances + (usize(upright) << 2)), over, overFrom, row, side, step);
        const besideBetter = i32(besides) & i32(besideDistance < bestDistance);
        bestDistance = select(besideDistance, bestDistance, besideBetter);
        bestSource = select(besideSource, bestSource, besideBetter);
        const uprightBetter = i32(uprights) & i32(uprightDistance < bestDistance);
        bestDistance = select(uprightDistance, bestDistance, uprightBetter);
        bestSource = select(uprightSource, bestSource, uprightBetter);
      }
      // Four candidates at a time. Lanes without one stay on the best so far, which is never better than itself.
      const own = load<i32>(squares + at);
      let steps = draw();
      for (let first = 0; first < candidates; first += 4, steps += 16) {
        const lastLane = min(candidates - first, 4) - 1;
        const drawn = v128.load(steps);
        let across = i32x4.shr_s(i32x4.shl(drawn, 16), 16);
        let down = i32x4.shr_s(drawn, 16);
        let from = first ? i32x4.splat(-1) : firstFrom;
        for (;;) {
          const sx = i32x4.add(across, v128.and(from, i32x4.splat(bestSource & 0xffff)));
          const sy = i32x4.add(down, v128.and(from, i32x4.splat(bestSource >> 16)));
          const inside = v128.and(i32x4.lt_u(sx, i32x4.splat(width)), i32x4.lt_u(sy, i32x4.splat(height)));
          const index = v128.and(i32x4.add(i32x4.mul(sy, i32x4.splat(width)), sx), inside);
          const i0 = i32x4.extract_lane(index, 0);
          const i1 = i32x4.extract_lane(index, 1);
          const i2 = i32x4.extract_lane(index, 2);
          const i3 = i32x4.extract_lane(index, 3);
          let theirs = v128.load32_zero(marked + (usize(i0) << 2));
          theirs = v128.load32_lane(marked + (usize(i1) << 2), theirs, 1);
          theirs = v128.load32_lane(marked + (usize(i2) << 2), theirs, 2);
          theirs = v128.load32_lane(marked + (usize(i3) << 2), theirs, 3);
          const products = fourProducts(
            side, lastLane, wide + (at << 1), patchOf(wide, i0), patchOf(wide, i1), patchOf(wide, i2), patchOf(wide, i3), row << 1,
          );
          const costs = shiftCosts(i32x4.sub(sx, i32x4.splat(x)), i32x4.sub(sy, i32x4.splat(y)));
          const both = i32x4.add(theirs, i32x4.add(i32x4.splat(own), costs));
          const found = i32x4.sub(both, i32x4.add(products, products));
          const nearer = i32x4.bitmask(v128.and(i32x4.lt_u(found, i32x4.splat(bestDistance)), inside));
          if (!nearer) break;
          // The first that is better moves those after it.
          const lane = ctz(nearer);
          v128.store(lanes, found);
          bestDistance = load<u32>(lanes + (usize(lane) << 2));
          v128.store(lanes, v128.or(i32x4.shl(sy, 16), sx));
          bestSource = load<i32>(lanes + (usize(lane) << 2));
          if (lane == lastLane) break;
          const later = i32x4.gt_s(i32x4(0, 1, 2, 3), i32x4.splat(lane));
          across = v128.and(across, later);
          down = v128.and(down, later);
          from = v128.or(from, v128.not(later));
        }
      }
      store<u32>(distances + at, bestDistance);
      store<i32>(nearest + at, bestSource);
    }
  }
}
