// What the patch-based filling looks at before it begins (src/image/fill/hole.ts, pyramid.ts): distances, texture, half
// sizes, and how much of the surroundings patches cover. Holes are bytes of 255 (missing) and 0.

/**
 * Distance of every pixel to the nearest one of value `to` by the 3–4 chamfer, in thirds of a pixel. `padded` has room for
 * (width + 2) · (height + 2) integers.
 */
export function fillChamfer(hole: usize, width: i32, height: i32, to: i32, padded: usize, distances: usize): void {
  const far = 1 << 28;
  const stride = width + 2;
  const row = usize(stride) << 2;
  for (let i = 0, end = stride * (height + 2); i < end; i++) store<i32>(padded + (usize(i) << 2), far);
  for (let y = 0; y < height; y++) {
    let at = padded + (usize((y + 1) * stride + 1) << 2);
    let from = hole + usize(y * width);
    for (let x = 0; x < width; x++, at += 4, from++) {
      if (i32(load<u8>(from)) == to) {
        store<i32>(at, 0);
        continue;
      }
      const straight = min(load<i32>(at - 4), load<i32>(at - row)) + 3;
      const aslant = min(load<i32>(at - row - 4), load<i32>(at - row + 4)) + 4;
      store<i32>(at, min(min(straight, aslant), far));
    }
  }
  for (let y = height - 1; y >= 0; y--) {
    let at = padded + (usize((y + 1) * stride + width) << 2);
    let out = distances + (usize(y * width + width - 1) << 2);
    for (let x = width - 1; x >= 0; x--, at -= 4, out -= 4) {
      const straight = min(load<i32>(at + 4), load<i32>(at + row)) + 3;
      const aslant = min(load<i32>(at + row + 4), load<i32>(at + row - 4)) + 4;
      const nearest = min(load<i32>(at), min(straight, aslant));
      store<i32>(at, nearest);
      store<i32>(out, nearest);
    }
  }
}

// @ts-ignore: decorator
@inline
function apart(a: usize, b: usize): u32 {
  return u32(
    abs(i32(load<u8>(a)) - i32(load<u8>(b))) +
      abs(i32(load<u8>(a, 1)) - i32(load<u8>(b, 1))) +
      abs(i32(load<u8>(a, 2)) - i32(load<u8>(b, 2))),
  );
}

/**
 * The texture channel. `sums` and `counts` are summed-area tables of (width + 1) · (height + 1) integers whose first row
 * and column are zero.
 */
export function fillTexture(
  pixels: usize, hole: usize, width: i32, height: i32, sums: usize, counts: usize, reach: i32, gain: f64,
): void {
  const columns = width + 1;
  for (let y = 0; y < height; y++) {
    let rowSum: u32 = 0;
    let rowCount: u32 = 0;
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const at = pixels + (usize(i) << 2);
      const known = hole + usize(i);
      if (!load<u8>(known)) {
        if (x + 1 < width && !load<u8>(known, 1)) {
          rowSum += apart(at, at + 4);
          rowCount++;
        }
        if (y + 1 < height && !load<u8>(known + usize(width))) {
          rowSum += apart(at, at + (usize(width) << 2));
          rowCount++;
        }
      }
      const above = usize(y * columns + x + 1) << 2;
      const here = above + (usize(columns) << 2);
      store<u32>(sums + here, load<u32>(sums + above) + rowSum);
      store<u32>(counts + here, load<u32>(counts + above) + rowCount);
    }
  }
  for (let y = 0; y < height; y++) {
    const top = max(0, y - reach) * columns;
    const bottom = min(height, y + reach + 1) * columns;
    for (let x = 0; x < width; x++) {
      const left = max(0, x - reach);
      const right = min(width, x + reach + 1);
      const a = usize(bottom + right) << 2;
      const b = usize(top + right) << 2;
      const c = usize(bottom + left) << 2;
      const d = usize(top + left) << 2;
      const count = load<u32>(counts + a) - load<u32>(counts + b) - load<u32>(counts + c) + load<u32>(counts + d);
      if (count == 0) continue;
      const sum = load<u32>(sums + a) - load<u32>(sums + b) - load<u32>(sums + c) + load<u32>(sums + d);
      const value = (f64(sum) / f64(count) / 3) * gain;
      const whole = floor(value);
      store<u8>(pixels + (usize(y * width + x) << 2), u8(min<f64>(255, value - whole >= 0.5 ? whole + 1 : whole)), 3);
    }
  }
}

/** Half the size of pixels and hole; only known pixels are averaged, and more than `knownShare` of four stay known. */
export function fillHalve(
  pixels: usize, hole: usize, width: i32, height: i32, knownShare: f64, toPixels: usize, toHole: usize,
): void {
  const w = (width + 1) >> 1;
  const h = (height + 1) >> 1;
  for (let y = 0; y < h; y++) {
    const bottom = min(2 * y + 2, height);
    for (let x = 0; x < w; x++) {
      const right = min(2 * x + 2, width);
      let sum = i32x4.splat(0);
      let known: i32 = 0;
      for (let v = 2 * y; v < bottom; v++) {
        for (let u = 2 * x; u < right; u++) {
          const i = usize(v * width + u);
          if (load<u8>(hole + i)) continue;
          known++;
          const own = v128.load32_zero(pixels + (i << 2));
          sum = i32x4.add(sum, i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(own)));
        }
      }
      const o = usize(y * w + x);
      store<u8>(toHole + o, f64(known) <= knownShare * f64((bottom - 2 * y) * (right - 2 * x)) ? 255 : 0);
      if (known == 0) {
        store<u32>(toPixels + (o << 2), 0);
        continue;
      }
      // Whole numbers: (sum + known / 2) / known, what is left over dropped.
      const twice = i32x4.add(i32x4.add(sum, sum), i32x4.splat(known));
      const divisor = 2 * known;
      store<u8>(toPixels + (o << 2), u8(i32x4.extract_lane(twice, 0) / divisor));
      store<u8>(toPixels + (o << 2), u8(i32x4.extract_lane(twice, 1) / divisor), 1);
      store<u8>(toPixels + (o << 2), u8(i32x4.extract_lane(twice, 2) / divisor), 2);
      store<u8>(toPixels + (o << 2), u8(i32x4.extract_lane(twice, 3) / divisor), 3);
    }
  }
}

/**
 * How many known pixels within `reach` of the hole there are, and how many of them lie in a source patch: those in the
 * upper half of the result. `corners` has (width + 1) · (height + 1) integers, all zero.
 */
export function fillCoverage(
  hole: usize, near: usize, width: i32, height: i32, side: i32, sources: usize, sourceCount: i32,
  reach: f64, corners: usize, counted: usize,
): void {
  const columns = width + 1;
  for (let i = 0; i < sourceCount; i++) {
    const source = load<i32>(sources + (usize(i) << 2));
    const at = corners + (usize((source >> 16) * columns + (source & 0xffff)) << 2);
    const right = usize(side) << 2;
    const below = usize(side * columns) << 2;
    store<i32>(at, load<i32>(at) + 1);
    store<i32>(at + right, load<i32>(at + right) - 1);
    store<i32>(at + below, load<i32>(at + below) - 1);
    store<i32>(at + below + right, load<i32>(at + below + right) + 1);
  }
  let known = 0;
  let covered = 0;
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      const at = corners + (usize(y * columns + x) << 2);
      row += load<i32>(at);
      const here = row + (y > 0 ? load<i32>(at - (usize(columns) << 2)) : 0);
      store<i32>(at, here);
      const i = usize(y * width + x);
      if (load<u8>(hole + i) || f64(load<i32>(near + (i << 2))) > reach) continue;
      known++;
      if (here > 0) covered++;
    }
  }
  store<i32>(counted, known);
  store<i32>(counted, covered, 4);
}
