// The search of the patch-based filling (src/image/fill/). A pixel is four bytes: red, green, blue, texture. A patch is
// named by its top-left pixel; where it is copied from is kept as y << 16 | x in `nearest`, −1 where none is sought.

let state: u32 = 1;
let leftLanes: v128 = i32x4.splat(-1);
let rightLanes: v128 = i32x4.splat(-1);
let costAcross: f32 = 0;
let costDown: f32 = 0;

/** What a shift costs beside the difference in colour, per squared pixel across and down. */
export function fillPrior(across: f32, down: f32): void {
  costAcross = across;
  costDown = down;
}

// @ts-ignore: decorator
@inline
function shiftCost(across: i32, down: i32): u32 {
  return u32(f32(across * across) * costAcross + f32(down * down) * costDown);
}

// @ts-ignore: decorator
@inline
function below(limit: i32): i32 {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return i32((u64(state) * u64(limit)) >> 32);
}

/** Patches of 3, 5 or 7 pixels: a row is two loads of four pixels, the pixels past its end masked out. */
function setSide(side: i32): void {
  leftLanes = side == 3 ? i32x4(-1, -1, -1, 0) : i32x4.splat(-1);
  rightLanes = side == 7 ? i32x4(-1, -1, -1, 0) : side == 5 ? i32x4(-1, 0, 0, 0) : i32x4.splat(0);
}

// @ts-ignore: decorator
@inline
function squares(a: v128, b: v128, lanes: v128): v128 {
  const difference = v128.and(v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a)), lanes);
  const low = i16x8.extmul_low_i8x16_u(difference, difference);
  const high = i16x8.extmul_high_i8x16_u(difference, difference);
  return i32x4.add(i32x4.extadd_pairwise_i16x8_u(low), i32x4.extadd_pairwise_i16x8_u(high));
}

// @ts-ignore: decorator
@inline
function total(v: v128): u32 {
  const halves = i32x4.add(v, v128.shuffle<i32>(v, v, 2, 3, 0, 1));
  return u32(i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1));
}

/** Sum of squared differences of two patches; once it has come to `limit` the rest is left out. */
function distanceOf(pixels: usize, a: i32, b: i32, width: i32, side: i32, limit: u32): u32 {
  let pa = pixels + (usize(a) << 2);
  let pb = pixels + (usize(b) << 2);
  const stride = usize(width) << 2;
  let sum = i32x4.splat(0);
  if (side == 3) {
    for (let row = 0; row < 3; row++, pa += stride, pb += stride) {
      sum = i32x4.add(sum, squares(v128.load(pa), v128.load(pb), leftLanes));
    }
    return total(sum);
  }
  for (let row = 0; row < side; row++, pa += stride, pb += stride) {
    sum = i32x4.add(sum, squares(v128.load(pa), v128.load(pb), leftLanes));
    sum = i32x4.add(sum, squares(v128.load(pa, 16), v128.load(pb, 16), rightLanes));
    const reached = total(sum);
    if (reached >= limit) return reached;
  }
  return total(sum);
}

/** The same over those pixels of patch `a` that `asked` (four bytes of 0 or 255 a pixel) counts. */
// @ts-ignore: decorator
@inline
function distanceOfAsked(pixels: usize, asked: usize, a: i32, b: i32, width: i32, side: i32, limit: u32): u32 {
  let offset = usize(a) << 2;
  let pb = pixels + (usize(b) << 2);
  const stride = usize(width) << 2;
  let sum = i32x4.splat(0);
  for (let row = 0; row < side; row++, offset += stride, pb += stride) {
    const left = v128.and(leftLanes, v128.load(asked + offset));
    const right = v128.and(rightLanes, v128.load(asked + offset, 16));
    sum = i32x4.add(sum, squares(v128.load(pixels + offset), v128.load(pb), left));
    sum = i32x4.add(sum, squares(v128.load(pixels + offset, 16), v128.load(pb, 16), right));
    const reached = total(sum);
    if (reached >= limit) return reached;
  }
  return total(sum);
}

/** Best of every `stride`-th source patch for one target, comparing the pixels asked for; y << 16 | x. */
export function fillNearest(
  pixels: usize, asked: usize, width: i32, side: i32, target: i32,
  sources: usize, sourceCount: i32, start: i32, stride: i32,
): i32 {
  setSide(side);
  const y = target / width;
  const x = target - y * width;
  let best = u32.MAX_VALUE;
  let bestAt = -1;
  for (let j = start; j < sourceCount; j += stride) {
    const source = load<i32>(sources + (usize(j) << 2));
    const sy = source >> 16;
    const sx = source & 0xffff;
    const cost = shiftCost(sx - x, sy - y);
    if (cost >= best) continue;
    const d = distanceOfAsked(pixels, asked, target, sy * width + sx, width, side, best - cost) + cost;
    if (d < best) {
      best = d;
      bestAt = source;
    }
  }
  return bestAt;
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

/**
 * Nearest source patches by propagation and random search (Barnes et al. 2009), starting from what `nearest` holds.
 * `anywhere` also tries one patch of the whole frame a round.
 */
export function fillSearch(
  pixels: usize, width: i32, height: i32, side: i32, targets: usize, targetCount: i32,
  sources: usize, sourceCount: i32, isSource: usize, nearest: usize, distances: usize,
  rounds: i32, radius: i32, anywhere: i32, seed: u32,
): void {
  setSide(side);
  state = seed | 1;
  const last = width * height;
  for (let i = 0; i < targetCount; i++) {
    const target = load<i32>(targets + (usize(i) << 2));
    const at = usize(target) << 2;
    const source = load<i32>(nearest + at);
    const y = target / width;
    const sy = source >> 16;
    const sx = source & 0xffff;
    const cost = shiftCost(sx - (target - y * width), sy - y);
    store<u32>(distances + at, distanceOf(pixels, target, sy * width + sx, width, side, u32.MAX_VALUE) + cost);
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
        if (((sy << 16) | sx) != bestSource) {
          consider(pixels, isSource, width, height, side, target, x, y, sx, sy);
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
