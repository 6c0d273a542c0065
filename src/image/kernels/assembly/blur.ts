// OpenCV's Gaussian on bytes: kernel in 1/256, both passes exact, one rounding at the end; so the order of passes is free.
// Columns first. Rows then go in interleaved pairs, biased by 2^15 to fit a signed multiplication of pairs.

// @ts-ignore: decorator
@inline
function across(row: usize, at: usize, weights: usize, radius: i32, step: usize): v128 {
  const centre = row + at + <usize>radius * step;
  let sum = i16x8.mul(v128.load8x8_u(centre), v128.load16_splat(weights));
  let left = centre - step;
  let right = centre + step;
  for (let k = 1; k <= radius; k++) {
    const both = i16x8.add(v128.load8x8_u(left), v128.load8x8_u(right));
    sum = i16x8.add(sum, i16x8.mul(both, v128.load16_splat(weights + (<usize>k << 1))));
    left -= step;
    right += step;
  }
  return v128.xor(sum, i16x8.splat(-32768));
}

/** Copies a row between mirrored borders; `columns` holds byte offsets of the pixels left of it, then right of it. */
function padRow(source: usize, bytes: usize, step: usize, radius: i32, columns: usize, target: usize): void {
  const border = <usize>radius * step;
  memory.copy(target + border, source, bytes);
  for (let k: usize = 0; k < <usize>radius; k++) {
    const left = source + <usize>load<u32>(columns + (k << 2));
    const right = source + <usize>load<u32>(columns + ((<usize>radius + k) << 2));
    for (let c: usize = 0; c < step; c++) {
      store<u8>(target + k * step + c, load<u8>(left + c));
      store<u8>(target + border + bytes + k * step + c, load<u8>(right + c));
    }
  }
}

/**
 * `rowOffsets`: byte offsets of source rows −radius … height + radius, one more than the kernel needs.
 * `weights`: centre outwards, u16. `pairWeights`: radius + 1 pairs for even rows, then as many for odd ones, i16.
 * `scratch`: two padded rows, then a ring of radius + 1 rows of pairs.
 */
export function gaussianBlur(
  source: usize,
  bytes: i32,
  height: i32,
  step: i32,
  radius: i32,
  rowOffsets: usize,
  columns: usize,
  weights: usize,
  pairWeights: usize,
  scratch: usize,
  target: usize,
): void {
  const paddedBytes = <usize>(bytes + 2 * radius * step + 31) & ~15;
  const pairBytes = <usize>((bytes + 7) >> 3) << 5;
  const rowA = scratch;
  const rowB = scratch + paddedBytes;
  const ring = rowB + paddedBytes;
  const count = radius + 1;
  const oddWeights = pairWeights + (<usize>count << 2);
  let made = 0;
  for (let y = 0; y < height; y += 2) {
    const first = y >> 1;
    for (; made < first + count; made++) {
      const offset = <usize>made << 3;
      padRow(source + <usize>load<u32>(rowOffsets + offset), bytes, step, radius, columns, rowA);
      padRow(source + <usize>load<u32>(rowOffsets + offset, 4), bytes, step, radius, columns, rowB);
      let to = ring + <usize>(made % count) * pairBytes;
      for (let x = 0; x < bytes; x += 8) {
        const a = across(rowA, x, weights, radius, step);
        const b = across(rowB, x, weights, radius, step);
        v128.store(to, i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11));
        v128.store(to + 16, i16x8.shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15));
        to += 32;
      }
    }
    const start = first % count;
    const to = target + <usize>y * <usize>bytes;
    const both = y + 1 < height;
    for (let x = 0; x < bytes; x += 8) {
      let even0 = i32x4.splat((1 << 23) + (1 << 15));
      let even1 = even0;
      let odd0 = even0;
      let odd1 = even0;
      let slot = start;
      const inRow = ring + (<usize>x << 2);
      for (let k: usize = 0; k < <usize>count; k++) {
        const at = inRow + <usize>slot * pairBytes;
        const p0 = v128.load(at);
        const p1 = v128.load(at, 16);
        const we = v128.load32_splat(pairWeights + (k << 2));
        const wo = v128.load32_splat(oddWeights + (k << 2));
        even0 = i32x4.add(even0, i32x4.dot_i16x8_s(p0, we));
        even1 = i32x4.add(even1, i32x4.dot_i16x8_s(p1, we));
        odd0 = i32x4.add(odd0, i32x4.dot_i16x8_s(p0, wo));
        odd1 = i32x4.add(odd1, i32x4.dot_i16x8_s(p1, wo));
        slot++;
        if (slot === count) slot = 0;
      }
      const even = i16x8.narrow_i32x4_u(i32x4.shr_u(even0, 16), i32x4.shr_u(even1, 16));
      const odd = i16x8.narrow_i32x4_u(i32x4.shr_u(odd0, 16), i32x4.shr_u(odd1, 16));
      const out = i8x16.narrow_i16x8_u(even, odd);
      const left = bytes - x;
      if (left >= 8) {
        v128.store64_lane(to + <usize>x, out, 0);
        if (both) v128.store64_lane(to + <usize>(x + bytes), out, 1);
      } else {
        // A whole store would reach into the row below, which is already there.
        store<u64>(rowA, i64x2.extract_lane(out, 0));
        memory.copy(to + <usize>x, rowA, left);
        store<u64>(rowA, i64x2.extract_lane(out, 1));
        if (both) memory.copy(to + <usize>(x + bytes), rowA, left);
      }
    }
  }
}
