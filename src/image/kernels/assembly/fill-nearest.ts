// The first guess of the patch-based filling (src/image/fill/peel.ts): the source patch most like the known part of one.
import { difference, reachDown, shiftCost, shiftCosts, squares, total, totals } from './fill-distance';

/** Up to fourteen pieces of four pixels, on either side of the middle: the bytes that count, what they show, where. */
const pieces = memory.data(28 * 48, 16);
const middle = pieces + 14 * 48;
/** How many of them are looked at first. */
const firstPieces: i32 = 3;

let piecesBegin: usize = middle;
let piecesEnd: usize = middle;

/**
 * Takes the pieces of patch `a` in which `asked` (four bytes of 0 or 255 a pixel) counts any pixel, those in which it counts
 * all before the others.
 */
function takePieces(pixels: usize, asked: usize, a: i32, width: i32, side: i32): void {
  let begin = middle;
  let end = middle;
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column += 4) {
      const within = usize(row * width + column) << 2;
      const at = (usize(a) << 2) + within;
      const lanes = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(side - column));
      const counted = v128.and(lanes, v128.load(asked + at));
      if (!v128.any_true(counted)) continue;
      let piece = end;
      if (i8x16.all_true(counted)) {
        begin -= 48;
        piece = begin;
      } else {
        end += 48;
      }
      v128.store(piece, counted);
      v128.store(piece, v128.load(pixels + at), 16);
      store<u32>(piece, u32(within), 32);
    }
  }
  piecesBegin = begin;
  piecesEnd = end;
}

// @ts-ignore: decorator
@inline
function pieceSquares(counted: v128, shown: v128, patch: usize): v128 {
  return squares(v128.and(difference(shown, v128.load(patch)), counted));
}

/** What some pieces add to the distances of four patches. */
function fourDistances(first: usize, end: usize, p0: usize, p1: usize, p2: usize, p3: usize): v128 {
  let s0 = i32x4.splat(0);
  let s1 = i32x4.splat(0);
  let s2 = i32x4.splat(0);
  let s3 = i32x4.splat(0);
  for (let piece = first; piece < end; piece += 48) {
    const counted = v128.load(piece);
    const shown = v128.load(piece, 16);
    const within = usize(load<u32>(piece, 32));
    s0 = i32x4.add(s0, pieceSquares(counted, shown, p0 + within));
    s1 = i32x4.add(s1, pieceSquares(counted, shown, p1 + within));
    s2 = i32x4.add(s2, pieceSquares(counted, shown, p2 + within));
    s3 = i32x4.add(s3, pieceSquares(counted, shown, p3 + within));
  }
  return totals(s0, s1, s2, s3);
}

/** Where the patches named by four sources begin. */
// @ts-ignore: decorator
@inline
function patchesAt(sources: v128, width: i32): v128 {
  const rows = i32x4.mul(i32x4.shr_s(sources, 16), i32x4.splat(width));
  return i32x4.shl(i32x4.add(rows, v128.and(sources, i32x4.splat(0xffff))), 2);
}

/**
 * Best of every `stride`-th source patch for one target, comparing the pixels asked for; y << 16 | x, the first of those
 * that are equally near. Where the neighbours found theirs (`nearest`, and `places` of the sources in their list) says how
 * far up and down anything as near can be. First a few pieces of each are compared, four patches at once, then the rest of
 * those that can still be as near as the best known. `rows` tells where each row's sources begin; `work` has room for two
 * integers a source and four more.
 */
function nearestTo(
  pixels: usize, asked: usize, width: i32, height: i32, side: i32, target: i32, nearest: usize, places: usize,
  sources: usize, rows: usize, start: i32, stride: i32, work: usize,
): i32 {
  const y = target / width;
  const x = target - y * width;
  takePieces(pixels, asked, target, width, side);
  const few = min(piecesEnd, piecesBegin + usize(firstPieces) * 48);
  let limit = u32.MAX_VALUE;
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
    limit = min(limit, distanceTo(pixels, load<i32>(sources + (usize(close) << 2)), x, y, width));
  }
  if (limit == u32.MAX_VALUE) limit = distanceTo(pixels, load<i32>(sources + (usize(start) << 2)), x, y, width);
  const reach = reachDown(limit);
  const begin = load<i32>(rows + (usize(max(y - reach + 1, 0)) << 2));
  const end = load<i32>(rows + (usize(min(y + reach, height)) << 2));
  const from = start + (max(begin - start, 0) + stride - 1) / stride * stride;
  const tried = (end - from + stride - 1) / stride;
  const partial = work;
  const left = work + (usize((tried + 3) & ~3) << 2);
  let least = i32x4.splat(-1);
  let leastAt = i32x4.splat(0);
  for (let k = 0, j = from; k < tried; k += 4, j += 4 * stride) {
    let at = i32x4.splat(load<i32>(sources + (usize(j) << 2)));
    if (j + stride < end) at = v128.load32_lane(sources + (usize(j + stride) << 2), at, 1);
    if (j + 2 * stride < end) at = v128.load32_lane(sources + (usize(j + 2 * stride) << 2), at, 2);
    if (j + 3 * stride < end) at = v128.load32_lane(sources + (usize(j + 3 * stride) << 2), at, 3);
    const sy = i32x4.shr_s(at, 16);
    const sx = v128.and(at, i32x4.splat(0xffff));
    const costs = shiftCosts(i32x4.sub(sx, i32x4.splat(x)), i32x4.sub(sy, i32x4.splat(y)));
    const patches = patchesAt(at, width);
    const more = fourDistances(
      piecesBegin, few,
      pixels + usize(i32x4.extract_lane(patches, 0)), pixels + usize(i32x4.extract_lane(patches, 1)),
      pixels + usize(i32x4.extract_lane(patches, 2)), pixels + usize(i32x4.extract_lane(patches, 3)),
    );
    // Those past the end are further than any.
    const past = i32x4.ge_s(i32x4(0, 1, 2, 3), i32x4.splat(tried - k));
    const distances = v128.or(i32x4.add(costs, more), past);
    v128.store(partial + (usize(k) << 2), distances);
    leastAt = v128.bitselect(i32x4.splat(j), leastAt, i32x4.lt_u(distances, least));
    least = i32x4.min_u(distances, least);
  }
  const near = nearestLane(least, leastAt, stride);
  limit = min(limit, distanceTo(pixels, load<i32>(sources + (usize(near) << 2)), x, y, width));
  let survivors = 0;
  for (let k = 0; k < tried; k += 4) {
    let bits = i32x4.bitmask(i32x4.le_u(v128.load(partial + (usize(k) << 2)), i32x4.splat(limit)));
    for (; bits; bits &= bits - 1) store<i32>(left + (usize(survivors++) << 2), k + ctz(bits));
  }
  let best = u32.MAX_VALUE;
  let index = 0;
  for (let i = 0; i < survivors; i += 4) {
    const k0 = load<i32>(left + (usize(i) << 2));
    const k1 = i + 1 < survivors ? load<i32>(left + (usize(i) << 2), 4) : k0;
    const k2 = i + 2 < survivors ? load<i32>(left + (usize(i) << 2), 8) : k0;
    const k3 = i + 3 < survivors ? load<i32>(left + (usize(i) << 2), 12) : k0;
    let at = v128.load32_zero(sources + (usize(from + k0 * stride) << 2));
    at = v128.load32_lane(sources + (usize(from + k1 * stride) << 2), at, 1);
    at = v128.load32_lane(sources + (usize(from + k2 * stride) << 2), at, 2);
    at = v128.load32_lane(sources + (usize(from + k3 * stride) << 2), at, 3);
    const patches = patchesAt(at, width);
    const more = fourDistances(
      few, piecesEnd,
      pixels + usize(i32x4.extract_lane(patches, 0)), pixels + usize(i32x4.extract_lane(patches, 1)),
      pixels + usize(i32x4.extract_lane(patches, 2)), pixels + usize(i32x4.extract_lane(patches, 3)),
    );
    for (let lane = 0; lane < min(4, survivors - i); lane++) {
      v128.store(found, more);
      const k = load<i32>(left + (usize(i + lane) << 2));
      const distance = load<u32>(partial + (usize(k) << 2)) + load<u32>(found + (usize(lane) << 2));
      if (distance >= best) continue;
      best = distance;
      index = from + k * stride;
    }
  }
  return load<i32>(sources + (usize(index) << 2));
}

/** Four numbers, to be looked at one by one, and where they were found. */
const found = memory.data(32, 16);

/** Where the least of four numbers was found. */
function nearestLane(numbers: v128, at: v128, stride: i32): i32 {
  v128.store(found, numbers);
  v128.store(found, at, 16);
  let lane = 0;
  for (let k = 1; k < 4; k++) {
    if (load<u32>(found + (usize(k) << 2)) < load<u32>(found + (usize(lane) << 2))) lane = k;
  }
  return load<i32>(found + (usize(lane) << 2), 16) + lane * stride;
}

/**
 * The first guess on the coarsest level: ring by ring from the rim inwards, each missing pixel of `inwards` is copied from
 * the patch that looks most like what is known, or already guessed, around it. Of the sources every `stride`-th is tried,
 * from the one that `starts` names. `asked` has four bytes a pixel, `places` and `colours` an integer, `work` one a row, two
 * a source and five more.
 */
export function fillPeel(
  pixels: usize, hole: usize, width: i32, height: i32, side: i32, inwards: usize, count: i32, depths: usize, starts: usize,
  sources: usize, sourceCount: i32, stride: i32, nearest: usize, asked: usize, places: usize, colours: usize, work: usize,
): void {
  for (let i: usize = 0; i < usize(width * height); i++) {
    store<i32>(asked + (i << 2), load<u8>(hole + i) ? 0 : -1);
    store<i32>(places + (i << 2), -1);
  }
  for (let i = 0; i < sourceCount; i++) {
    const source = load<i32>(sources + (usize(i) << 2));
    store<i32>(places + (usize((source >> 16) * width + (source & 0xffff)) << 2), i);
  }
  const rows = work;
  firstOfRows(sources, sourceCount, height, rows);
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
        pixels, asked, width, height, side, patch, nearest, places, sources, rows, from, stride, work + (usize(height + 1) << 2),
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

/** For each row and the one past the last: which source is the first that is not above it. */
function firstOfRows(sources: usize, sourceCount: i32, height: i32, rows: usize): void {
  for (let y = 0, i = 0; y <= height; y++) {
    while (i < sourceCount && load<i32>(sources + (usize(i) << 2)) >> 16 < y) i++;
    store<i32>(rows + (usize(y) << 2), i);
  }
}

function distanceTo(pixels: usize, source: i32, x: i32, y: i32, width: i32): u32 {
  const sy = source >> 16;
  const sx = source & 0xffff;
  const patch = pixels + (usize(sy * width + sx) << 2);
  let sum = i32x4.splat(0);
  for (let piece = piecesBegin, end = piecesEnd; piece < end; piece += 48) {
    sum = i32x4.add(sum, pieceSquares(v128.load(piece), v128.load(piece, 16), patch + usize(load<u32>(piece, 32))));
  }
  return total(sum) + shiftCost(sx - x, sy - y);
}
