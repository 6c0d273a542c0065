// Lists of the patch-based filling (src/image/fill/): which patches meet the hole, which can be copied, where the coarser
// level's were copied from. Lists are written without a branch: every entry is stored, and kept where it counts.

/** Indices of the missing pixels, row by row; returns how many. `out` has room for one more. */
export function fillMissing(hole: usize, count: i32, out: usize): i32 {
  let found = 0;
  for (let i = 0; i < count; i++) {
    store<i32>(out + (usize(found) << 2), i);
    found += i32(load<u8>(hole + usize(i)) & 1);
  }
  return found;
}

/** 1 for each of four pixels that is missing. */
// @ts-ignore: decorator
@inline
function fourFlags(hole: usize): v128 {
  const four = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(hole)));
  return v128.and(four, i32x4.splat(1));
}

/**
 * All patches inside the frame: `targets` meet the hole (by the index of their top-left pixel), `sources` do not (as
 * y << 16 | x). Returns how many targets there are. Both have room for one more; `columns` is a row of integers.
 */
export function fillPatches(
  hole: usize, width: i32, height: i32, side: i32, columns: usize, targets: usize, sources: usize,
): i32 {
  let targetCount = 0;
  let sourceCount = 0;
  const last = usize(side - 1) << 2;
  memory.fill(columns, 0, usize(width) << 2);
  for (let y = 0; y < height; y++) {
    const row = hole + usize(y * width);
    const top = y - side + 1;
    const gone = row - usize(side * width);
    // Up to three columns too many, which nothing looks at.
    for (let x: usize = 0; x < usize(width); x += 4) {
      let sum = i32x4.add(v128.load(columns + (x << 2)), fourFlags(row + x));
      if (top > 0) sum = i32x4.sub(sum, fourFlags(gone + x));
      v128.store(columns + (x << 2), sum);
    }
    if (top < 0) continue;
    let count = 0;
    for (let x: usize = 0; x < last; x += 4) count += load<i32>(columns + x);
    for (let left = 0; left <= width - side; left++) {
      const at = columns + (usize(left) << 2);
      count += load<i32>(at + last);
      store<i32>(targets + (usize(targetCount) << 2), top * width + left);
      store<i32>(sources + (usize(sourceCount) << 2), (top << 16) | left);
      const meets = i32(count > 0);
      targetCount += meets;
      sourceCount += 1 - meets;
      count -= load<i32>(at);
    }
  }
  return targetCount;
}

/** The targets that have no source yet; returns how many. `out` has room for one more. */
export function fillUnset(targets: usize, count: i32, nearest: usize, out: usize): i32 {
  let found = 0;
  for (let i = 0; i < count; i++) {
    const target = load<i32>(targets + (usize(i) << 2));
    store<i32>(out + (usize(found) << 2), target);
    found += i32(load<i32>(nearest + (usize(target) << 2)) < 0);
  }
  return found;
}

/** A quarter of the patches votes for the rest: every pixel is still under a dozen of them. Returns how many. */
export function fillVoters(targets: usize, count: i32, width: i32, height: i32, side: i32, out: usize): i32 {
  let found = 0;
  for (let i = 0, y = 0, rowEnd = width; i < count; i++) {
    const target = load<i32>(targets + (usize(i) << 2));
    for (; target >= rowEnd; rowEnd += width) y++;
    const x = target - rowEnd + width;
    store<i32>(out + (usize(found) << 2), target);
    found += i32(!(x & 1) || x == width - side) & i32(!(y & 1) || y == height - side);
  }
  return found;
}

/** Marks the sources, and gives every target the trust in its middle: by its depth in thirds of a pixel, up to `deepest`. */
export function fillMark(
  width: i32, height: i32, side: i32, sources: usize, sourceCount: i32, isSource: usize,
  targets: usize, targetCount: i32, depths: usize, trust: usize, deepest: i32, weights: usize, nearest: usize,
): void {
  memory.fill(isSource, 0, usize(width * height));
  memory.fill(nearest, 255, usize(width * height) << 2);
  for (let i = 0; i < sourceCount; i++) {
    const source = load<i32>(sources + (usize(i) << 2));
    store<u8>(isSource + usize((source >> 16) * width + (source & 0xffff)), 1);
  }
  const middle = usize((side >> 1) * (width + 1)) << 2;
  for (let i = 0; i < targetCount; i++) {
    const at = usize(load<i32>(targets + (usize(i) << 2))) << 2;
    const depth = min(load<i32>(depths + at + middle), deepest);
    store<f32>(weights + at, load<f32>(trust + (usize(depth) << 2)));
  }
}

/** Starts a level from the coarser one's patches: the same shift, twice as long. */
export function fillRefine(
  coarse: usize, coarseWidth: i32, coarseHeight: i32, coarseSide: i32,
  width: i32, height: i32, side: i32, targets: usize, targetCount: i32, isSource: usize, nearest: usize,
): void {
  const half = side >> 1;
  const coarseHalf = coarseSide >> 1;
  for (let i = 0, y = 0, rowEnd = width; i < targetCount; i++) {
    const target = load<i32>(targets + (usize(i) << 2));
    for (; target >= rowEnd; rowEnd += width) y++;
    const x = target - rowEnd + width;
    const cx = min(max(((x + half) >> 1) - coarseHalf, 0), coarseWidth - coarseSide);
    const cy = min(max(((y + half) >> 1) - coarseHalf, 0), coarseHeight - coarseSide);
    const from = load<i32>(coarse + (usize(cy * coarseWidth + cx) << 2));
    const at = nearest + (usize(target) << 2);
    if (from >= 0) {
      const sx = x + 2 * ((from & 0xffff) - cx);
      const sy = y + 2 * ((from >> 16) - cy);
      if (u32(sx) < u32(width) && u32(sy) < u32(height) && load<u8>(isSource + usize(sy * width + sx))) {
        store<i32>(at, (sy << 16) | sx);
        continue;
      }
    }
    const before = x > 0 ? load<i32>(at - 4) : -1;
    if (before < 0) continue;
    if (load<u8>(isSource + usize((before >> 16) * width + (before & 0xffff)), 1)) store<i32>(at, before + 1);
  }
}

/**
 * The distance that three quarters of the targets' stay below, at least 1; of about two thousand of them where there are
 * more. Found by halving (Hoare 1961) in `sample`, which has room for four thousand integers.
 */
export function fillQuartile(distances: usize, targets: usize, targetCount: i32, sample: usize): u32 {
  const step = max(1, targetCount / 2000);
  const count = (targetCount + step - 1) / step;
  for (let k = 0; k < count; k++) {
    const target = load<i32>(targets + (usize(k * step) << 2));
    store<i32>(sample + (usize(k) << 2), load<i32>(distances + (usize(target) << 2)));
  }
  const wanted = i32(f64(count) * 0.75);
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = load<i32>(sample + (usize((low + high) >> 1) << 2));
    let i = low;
    let j = high;
    while (i <= j) {
      while (load<i32>(sample + (usize(i) << 2)) < pivot) i++;
      while (load<i32>(sample + (usize(j) << 2)) > pivot) j--;
      if (i > j) break;
      const a = load<i32>(sample + (usize(i) << 2));
      store<i32>(sample + (usize(i++) << 2), load<i32>(sample + (usize(j) << 2)));
      store<i32>(sample + (usize(j--) << 2), a);
    }
    if (wanted <= j) high = j;
    else if (wanted >= i) low = i;
    else break;
  }
  return max(1, load<i32>(sample + (usize(wanted) << 2)));
}
