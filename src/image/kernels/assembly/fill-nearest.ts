// The first guess of the patch-based filling (src/image/fill/peel.ts): the source patch most like the known part of one.
import { difference, reachDown, shiftCost, shiftCosts, squares, total, totals } from './fill-distance';

/** Up to fourteen pieces of four pixels: the bytes that count, what they show, where. */
const pieces = memory.data(14 * 48, 16);
/** The best distance of each of four, and where it was found. */
const found = memory.data(32, 16);

/** The pieces of patch `a` in which `asked` (four bytes of 0 or 255 a pixel) counts any pixel; returns how many. */
function takePieces(pixels: usize, asked: usize, a: i32, width: i32, side: i32): i32 {
  let count = 0;
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column += 4) {
      const within = usize(row * width + column) << 2;
      const at = (usize(a) << 2) + within;
      const lanes = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(side - column));
      const counted = v128.and(lanes, v128.load(asked + at));
      if (!v128.any_true(counted)) continue;
      const piece = pieces + usize(count++) * 48;
      v128.store(piece, counted);
      v128.store(piece, v128.load(pixels + at), 16);
      store<u32>(piece, u32(within), 32);
    }
  }
  return count;
}

// @ts-ignore: decorator
@inline
function pieceSquares(counted: v128, shown: v128, patch: usize): v128 {
  return squares(v128.and(difference(shown, v128.load(patch)), counted));
}

/**
 * Best of every `stride`-th source patch for one target, comparing the pixels asked for; y << 16 | x, the first of those
 * that are equally near. Four patches are compared at once and to the end, without a branch that could be guessed wrong.
 * Where the neighbours found theirs (`nearest`, and `places` of the sources in their list) says how far up and down
 * anything as near can be.
 */
function nearestTo(
  pixels: usize, asked: usize, width: i32, height: i32, side: i32, target: i32, nearest: usize, places: usize,
  sources: usize, sourceCount: i32, start: i32, stride: i32,
): i32 {
  const y = target / width;
  const x = target - y * width;
  const count = takePieces(pixels, asked, target, width, side);
  let limit = distanceTo(pixels, load<i32>(sources + (usize(start) << 2)), x, y, width, count);
  for (let k = 0; k < 4; k++) {
    const stepX = k == 0 ? -1 : k == 1 ? 1 : 0;
    const stepY = k == 2 ? -1 : k == 3 ? 1 : 0;
    if (u32(x + stepX) >= u32(width) || u32(y + stepY) >= u32(height)) continue;
    const theirs = load<i32>(nearest + (usize(target + stepY * width + stepX) << 2));
    if (theirs < 0) continue;
    const sx = (theirs & 0xffff) - stepX;
    const sy = (theirs >> 16) - stepY;
    if (u32(sx) >= u32(width) || u32(sy) >= u32(height)) continue;
    const place = load<i32>(places + (usize(sy * width + sx) << 2));
    if (place < 0) continue;
    const close = start + max(place - start, 0) / stride * stride;
    limit = min(limit, distanceTo(pixels, load<i32>(sources + (usize(close) << 2)), x, y, width, count));
  }
  const reach = reachDown(limit);
  const begin = firstFrom(sources, sourceCount, y - reach + 1);
  const end = firstFrom(sources, sourceCount, y + reach);
  const from = start + (max(begin - start, 0) + stride - 1) / stride * stride;
  let best = i32x4.splat(-1);
  let bestAt = i32x4.splat(0);
  for (let j = from; j < end; j += 4 * stride) {
    let at = i32x4.splat(load<i32>(sources + (usize(j) << 2)));
    // Past the end the first stands for the missing ones: what is not better once is not better again.
    if (j + stride < end) at = v128.load32_lane(sources + (usize(j + stride) << 2), at, 1);
    if (j + 2 * stride < end) at = v128.load32_lane(sources + (usize(j + 2 * stride) << 2), at, 2);
    if (j + 3 * stride < end) at = v128.load32_lane(sources + (usize(j + 3 * stride) << 2), at, 3);
    const sy = i32x4.shr_s(at, 16);
    const sx = v128.and(at, i32x4.splat(0xffff));
    const patches = i32x4.shl(i32x4.add(i32x4.mul(sy, i32x4.splat(width)), sx), 2);
    const p0 = pixels + usize(i32x4.extract_lane(patches, 0));
    const p1 = pixels + usize(i32x4.extract_lane(patches, 1));
    const p2 = pixels + usize(i32x4.extract_lane(patches, 2));
    const p3 = pixels + usize(i32x4.extract_lane(patches, 3));
    let s0 = i32x4.splat(0);
    let s1 = i32x4.splat(0);
    let s2 = i32x4.splat(0);
    let s3 = i32x4.splat(0);
    for (let piece = pieces, last = pieces + usize(count) * 48; piece < last; piece += 48) {
      const counted = v128.load(piece);
      const shown = v128.load(piece, 16);
      const within = usize(load<u32>(piece, 32));
      s0 = i32x4.add(s0, pieceSquares(counted, shown, p0 + within));
      s1 = i32x4.add(s1, pieceSquares(counted, shown, p1 + within));
      s2 = i32x4.add(s2, pieceSquares(counted, shown, p2 + within));
      s3 = i32x4.add(s3, pieceSquares(counted, shown, p3 + within));
    }
    const costs = shiftCosts(i32x4.sub(sx, i32x4.splat(x)), i32x4.sub(sy, i32x4.splat(y)));
    const distances = i32x4.add(costs, totals(s0, s1, s2, s3));
    bestAt = v128.bitselect(i32x4.splat(j), bestAt, i32x4.lt_u(distances, best));
    best = i32x4.min_u(distances, best);
  }
  v128.store(found, best);
  v128.store(found, bestAt, 16);
  let shortest = u32.MAX_VALUE;
  let index = 0;
  for (let lane = 0; lane < 4; lane++) {
    const distance = load<u32>(found + (usize(lane) << 2));
    const its = load<i32>(found + (usize(lane) << 2), 16) + lane * stride;
    if (distance > shortest || (distance == shortest && its > index)) continue;
    shortest = distance;
    index = its;
  }
  return load<i32>(sources + (usize(index) << 2));
}

/**
 * The first guess on the coarsest level: ring by ring from the rim inwards, each missing pixel of `inwards` is copied from
 * the patch that looks most like what is known, or already guessed, around it. Of the sources every `stride`-th is tried,
 * from the one that `starts` names. `asked` has four bytes a pixel, `places` and `colours` an integer.
 */
export function fillPeel(
  pixels: usize, hole: usize, width: i32, height: i32, side: i32, inwards: usize, count: i32, depths: usize, starts: usize,
  sources: usize, sourceCount: i32, stride: i32, nearest: usize, asked: usize, places: usize, colours: usize,
): void {
  for (let i: usize = 0; i < usize(width * height); i++) {
    store<i32>(asked + (i << 2), load<u8>(hole + i) ? 0 : -1);
    store<i32>(places + (i << 2), -1);
  }
  for (let i = 0; i < sourceCount; i++) {
    const source = load<i32>(sources + (usize(i) << 2));
    store<i32>(places + (usize((source >> 16) * width + (source & 0xffff)) << 2), i);
  }
  const half = side >> 1;
  for (let start = 0, end = 0; start < count; start = end) {
    const ring = load<i32>(depths + (usize(load<i32>(inwards + (usize(start) << 2))) << 2)) + 3;
    for (; end < count; end++) {
      const pixel = load<i32>(inwards + (usize(end) << 2));
      if (load<i32>(depths + (usize(pixel) << 2)) >= ring) break;
      const y = min(max(pixel / width - half, 0), height - side);
      const x = min(max(pixel % width - half, 0), width - side);
      const patch = y * width + x;
      const from = load<i32>(starts + (usize(end) << 2));
      const source = nearestTo(
        pixels, asked, width, height, side, patch, nearest, places, sources, sourceCount, from, stride,
      );
      store<i32>(nearest + (usize(patch) << 2), source);
      const shown = (source >> 16) * width + (source & 0xffff) + pixel - patch;
      store<u32>(colours + (usize(end) << 2), load<u32>(pixels + (usize(shown) << 2)));
    }
    for (let k = start; k < end; k++) {
      const at = usize(load<i32>(inwards + (usize(k) << 2))) << 2;
      store<u32>(pixels + at, load<u32>(colours + (usize(k) << 2)));
      store<i32>(asked + at, -1);
    }
  }
}

/** The first source of this row or a later one. */
function firstFrom(sources: usize, sourceCount: i32, y: i32): i32 {
  let low = 0;
  let high = sourceCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<i32>(sources + (usize(middle) << 2)) >> 16 < y) low = middle + 1;
    else high = middle;
  }
  return low;
}

function distanceTo(pixels: usize, source: i32, x: i32, y: i32, width: i32, count: i32): u32 {
  const sy = source >> 16;
  const sx = source & 0xffff;
  const patch = pixels + (usize(sy * width + sx) << 2);
  let sum = i32x4.splat(0);
  for (let piece = pieces, last = pieces + usize(count) * 48; piece < last; piece += 48) {
    sum = i32x4.add(sum, pieceSquares(v128.load(piece), v128.load(piece, 16), patch + usize(load<u32>(piece, 32))));
  }
  return total(sum) + shiftCost(sx - x, sy - y);
}
