// How photograph and mask come into the patch-based filling and out of it (src/image/fill.ts, mask-morphology.ts).

/** Three bytes a pixel become four, the fourth 0; nothing is taken from the hole. `image` may be read four bytes past its end. */
export function fillLoad(image: usize, hole: usize, count: i32, pixels: usize): void {
  for (let i: usize = 0; i < usize(count); i++, image += 3) {
    const known = u32(load<u8>(hole + i) == 0) * 0xffffff;
    store<u32>(pixels + (i << 2), load<u32>(image) & known);
  }
}

/** The hole's pixels in the photograph. */
export function fillStore(pixels: usize, hole: usize, count: i32, image: usize): void {
  for (let i: usize = 0; i < usize(count); i++, image += 3) {
    if (!load<u8>(hole + i)) continue;
    const pixel = load<u32>(pixels + (i << 2));
    store<u16>(image, u16(pixel));
    store<u8>(image, u8(pixel >> 16), 2);
  }
}

/**
 * A mask grown: first how far up and down each column the object is, `reach` + 1 where it is further; then along each row a
 * pixel at distance d covers `halfWidths[d]` to either side, and two sweeps join what is covered. `distances` has two bytes
 * a pixel.
 */
export function maskGrow(
  mask: usize, width: i32, height: i32, reach: i32, halfWidths: usize, distances: usize, out: usize,
): void {
  const row = usize(width);
  const far = i16x8.splat(i16(reach + 1));
  const one = i16x8.splat(1);
  for (let y = 0; y < height; y++) {
    const from = mask + usize(y) * row;
    const to = distances + ((usize(y) * row) << 1);
    for (let x: usize = 0; x < row; x += 8) {
      const outside = i16x8.eq(v128.load8x8_u(from + x), i16x8.splat(0));
      const above = y > 0 ? i16x8.min_s(i16x8.add(v128.load(to + (x << 1) - (row << 1)), one), far) : far;
      storeUpTo(to + (x << 1), v128.and(above, outside), row - x);
    }
  }
  for (let y = height - 2; y >= 0; y--) {
    const to = distances + ((usize(y) * row) << 1);
    for (let x: usize = 0; x < row; x += 8) {
      const at = to + (x << 1);
      storeUpTo(at, i16x8.min_s(v128.load(at), i16x8.add(v128.load(at + (row << 1)), one)), row - x);
    }
  }
  for (let y = 0; y < height; y++) {
    const at = distances + ((usize(y) * row) << 1);
    const to = out + usize(y) * row;
    for (let x = 0, end = -1; x < width; x++) {
      end = max(end, x + load<i32>(halfWidths + (usize(load<u16>(at + (usize(x) << 1))) << 2)));
      store<u8>(to + usize(x), x <= end ? 255 : 0);
    }
    for (let x = width - 1, end = width; x >= 0; x--) {
      end = min(end, x - load<i32>(halfWidths + (usize(load<u16>(at + (usize(x) << 1))) << 2)));
      if (x >= end) store<u8>(to + usize(x), 255);
    }
  }
}

/** Eight numbers, or as many as are left of a row: what comes after it is another's. */
// @ts-ignore: decorator
@inline
function storeUpTo(at: usize, eight: v128, left: usize): void {
  if (left >= 8) {
    v128.store(at, eight);
    return;
  }
  v128.store(rest, eight);
  memory.copy(at, rest, left << 1);
}

const rest = memory.data(16, 16);
