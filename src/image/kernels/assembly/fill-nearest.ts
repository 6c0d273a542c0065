// The first guess of the patch-based filling (src/image/fill/peel.ts): the source patch most like the known part of one.
import { difference, shiftCost, shiftCosts, squares, total, totals } from './fill-distance';

/** Up to fourteen pieces of four pixels, those with most to compare first: the bytes that count, what they show, where. */
const pieces = memory.data(14 * 48, 16);
/** Pieces compared before a patch is looked at by itself. */
const first = 4;

/** The pieces of patch `a` in which `asked` (four bytes of 0 or 255 a pixel) counts any pixel; returns how many. */
function takePieces(pixels: usize, asked: usize, a: i32, width: i32, side: i32): i32 {
  let count = 0;
  for (let most = 4; most > 0; most--) {
    for (let row = 0; row < side; row++) {
      for (let column = 0; column < side; column += 4) {
        const within = usize(row * width + column) << 2;
        const at = (usize(a) << 2) + within;
        const lanes = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(side - column));
        const counted = v128.and(lanes, v128.load(asked + at));
        if (popcnt<i32>(i32x4.bitmask(counted)) != most) continue;
        setPiece(count++, counted, v128.load(pixels + at), within);
      }
    }
  }
  // Patches of which little is known: the rest counts nothing.
  for (let i = count; i < first; i++) setPiece(i, i32x4.splat(0), i32x4.splat(0), 0);
  return max(count, first);
}

function setPiece(index: i32, counted: v128, shown: v128, within: usize): void {
  const piece = pieces + usize(index) * 48;
  v128.store(piece, counted);
  v128.store(piece, shown, 16);
  store<u32>(piece, u32(within), 32);
}

// @ts-ignore: decorator
@inline
function pieceSquares(piece: usize, patch: usize): v128 {
  const apart = difference(v128.load(piece, 16), v128.load(patch + load<u32>(piece, 32)));
  return squares(v128.and(apart, v128.load(piece)));
}

// @ts-ignore: decorator
@inline
function firstSquares(patch: usize): v128 {
  const a = i32x4.add(pieceSquares(pieces, patch), pieceSquares(pieces + 48, patch));
  return i32x4.add(a, i32x4.add(pieceSquares(pieces + 96, patch), pieceSquares(pieces + 144, patch)));
}

let lastFound: i32 = 0;

/**
 * Best of every `stride`-th source patch for one target, comparing the pixels asked for; y << 16 | x. Four patches are
 * compared at once, by their first pieces; only where one of them could be better they are looked at one by one.
 */
export function fillNearest(
  pixels: usize, asked: usize, width: i32, side: i32, target: i32,
  sources: usize, sourceCount: i32, start: i32, stride: i32,
): i32 {
  const y = target / width;
  const x = target - y * width;
  const count = takePieces(pixels, asked, target, width, side);
  // The patch found for the pixel before is a good one to begin with: none worse is looked at.
  const guess = start + max(min(lastFound, sourceCount - 1) - start, 0) / stride * stride;
  let best = distanceTo(pixels, load<i32>(sources + (usize(guess) << 2)), x, y, width, count) + 1;
  let bestAt = -1;
  for (let j = start; j < sourceCount; j += 4 * stride) {
    let at = i32x4.splat(load<i32>(sources + (usize(j) << 2)));
    // Past the end the first stands for the missing ones: what is not better once is not better again.
    if (j + stride < sourceCount) at = v128.load32_lane(sources + (usize(j + stride) << 2), at, 1);
    if (j + 2 * stride < sourceCount) at = v128.load32_lane(sources + (usize(j + 2 * stride) << 2), at, 2);
    if (j + 3 * stride < sourceCount) at = v128.load32_lane(sources + (usize(j + 3 * stride) << 2), at, 3);
    const sy = i32x4.shr_s(at, 16);
    const sx = v128.and(at, i32x4.splat(0xffff));
    const across = i32x4.sub(sx, i32x4.splat(x));
    const down = i32x4.sub(sy, i32x4.splat(y));
    const costs = shiftCosts(across, down);
    const patches = i32x4.shl(i32x4.add(i32x4.mul(sy, i32x4.splat(width)), sx), 2);
    const atLeast = i32x4.add(
      costs,
      totals(
        firstSquares(pixels + usize(i32x4.extract_lane(patches, 0))),
        firstSquares(pixels + usize(i32x4.extract_lane(patches, 1))),
        firstSquares(pixels + usize(i32x4.extract_lane(patches, 2))),
        firstSquares(pixels + usize(i32x4.extract_lane(patches, 3))),
      ),
    );
    if (!v128.any_true(i32x4.lt_u(atLeast, i32x4.splat(best)))) continue;
    for (let k = j, end = min(j + 4 * stride, sourceCount); k < end; k += stride) {
      const source = load<i32>(sources + (usize(k) << 2));
      const d = distanceTo(pixels, source, x, y, width, count);
      if (d < best) {
        best = d;
        bestAt = source;
        lastFound = k;
      }
    }
  }
  return bestAt;
}

function distanceTo(pixels: usize, source: i32, x: i32, y: i32, width: i32, count: i32): u32 {
  const sy = source >> 16;
  const sx = source & 0xffff;
  const patch = pixels + (usize(sy * width + sx) << 2);
  let sum = firstSquares(patch);
  for (let i = first; i < count; i++) sum = i32x4.add(sum, pieceSquares(pieces + usize(i) * 48, patch));
  return total(sum) + shiftCost(sx - x, sy - y);
}
