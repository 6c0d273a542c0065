// How deep in the hole, or how far from it, each pixel is (src/image/fill/hole.ts).

/** Further than any pixel. */
const far: i32 = 1 << 28;
/** Four numbers, some of which are kept. */
const some = memory.data(16, 16);

/** The lesser of what each of four pixels has and what the row before it tells: 3 for a step, 4 for one aslant. */
// @ts-ignore: decorator
@inline
function fromRow(own: v128, row: usize): v128 {
  const aslant = i32x4.add(i32x4.min_s(v128.load(row - 4), v128.load(row, 4)), i32x4.splat(4));
  return i32x4.min_s(own, i32x4.min_s(aslant, i32x4.add(v128.load(row), i32x4.splat(3))));
}

/**
 * Distance of every pixel to the nearest one of value `to` by the 3–4 chamfer, in thirds of a pixel; returns the largest.
 * `padded` has room for (width + 8) · (height + 2) integers. Four pixels at a time: what the row before tells is taken first,
 * then what the pixels tell each other along their own row.
 */
export function fillChamfer(hole: usize, width: i32, height: i32, to: i32, padded: usize, distances: usize): i32 {
  const stride = width + 8;
  const row = usize(stride) << 2;
  for (let at = padded, end = padded + row * usize(height + 2); at < end; at += 16) v128.store(at, i32x4.splat(far));
  const aim = i32x4.splat(to);
  for (let y = 0; y < height; y++) {
    const at = padded + (usize((y + 1) * stride + 4) << 2);
    const from = hole + usize(y * width);
    let left = i32x4.splat(far);
    for (let x = 0; x < width; x += 4) {
      const here = at + (usize(x) << 2);
      const values = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(from + usize(x))));
      let four = v128.andnot(fromRow(i32x4.splat(far), here - row), i32x4.eq(values, aim));
      const fars = i32x4.splat(far);
      four = i32x4.min_s(four, i32x4.add(v128.shuffle<i32>(fars, four, 0, 4, 5, 6), i32x4.splat(3)));
      four = i32x4.min_s(four, i32x4.add(v128.shuffle<i32>(fars, four, 0, 1, 4, 5), i32x4.splat(6)));
      four = i32x4.min_s(four, i32x4.add(left, i32x4(3, 6, 9, 12)));
      left = v128.shuffle<i32>(four, four, 3, 3, 3, 3);
      v128.store(here, v128.bitselect(four, fars, i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(width - x))));
    }
  }
  let deepest = i32x4.splat(0);
  for (let y = height - 1; y >= 0; y--) {
    const at = padded + (usize((y + 1) * stride + 4) << 2);
    const out = distances + (usize(y * width) << 2);
    let right = i32x4.splat(far);
    for (let x = (width - 1) & ~3; x >= 0; x -= 4) {
      const here = at + (usize(x) << 2);
      const fars = i32x4.splat(far);
      let four = fromRow(v128.load(here), here + row);
      const inside = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(width - x));
      four = v128.bitselect(four, fars, inside);
      four = i32x4.min_s(four, i32x4.add(v128.shuffle<i32>(four, fars, 1, 2, 3, 4), i32x4.splat(3)));
      four = i32x4.min_s(four, i32x4.add(v128.shuffle<i32>(four, fars, 2, 3, 4, 5), i32x4.splat(6)));
      four = i32x4.min_s(four, i32x4.add(right, i32x4(12, 9, 6, 3)));
      right = v128.shuffle<i32>(four, four, 0, 0, 0, 0);
      v128.store(here, v128.bitselect(four, fars, inside));
      deepest = i32x4.max_s(deepest, v128.and(four, inside));
      if (x + 4 <= width) {
        v128.store(out + (usize(x) << 2), four);
      } else {
        // What comes after the row is another's.
        v128.store(some, four);
        memory.copy(out + (usize(x) << 2), some, usize(width - x) << 2);
      }
    }
  }
  deepest = i32x4.max_s(deepest, v128.shuffle<i32>(deepest, deepest, 2, 3, 0, 1));
  return max(i32x4.extract_lane(deepest, 0), i32x4.extract_lane(deepest, 1));
}
