// The guided filter (src/image/guided-filter.ts), in double precision and in the order that is written here.

/** The product of two of a pixel's numbers: 0 to 2 its channels as shares of 255, 3 the plane's value, 4 one. */
export function guidedProducts(image: usize, plane: usize, count: i32, a: i32, b: i32, out: usize): void {
  for (let i: usize = 0; i < <usize>count; i++) {
    store<f64>(out + (i << 3), valueOf(image, plane, i, a) * valueOf(image, plane, i, b));
  }
}

// @ts-ignore: decorator
@inline
function valueOf(image: usize, plane: usize, i: usize, which: i32): f64 {
  if (which < 3) return <f64>load<u8>(image + i * 3 + <usize>which) / 255;
  return which === 3 ? <f64>load<f32>(plane + (i << 2)) : 1;
}

/** Mean over a square window, cut off at the picture's edge. `rows` is a plane, `sums` a row of doubles and two more. */
export function boxMean(
  values: usize,
  width: i32,
  height: i32,
  radius: i32,
  rows: usize,
  sums: usize,
  out: usize,
): void {
  const line = (<usize>width) << 3;
  const ahead = (<usize>radius) << 3;
  for (let y = 0; y < height; y++) {
    const at = values + <usize>y * line;
    const to = rows + <usize>y * line;
    let sum: f64 = 0;
    for (let x = 0; x < min(radius, width); x++) sum += load<f64>(at + ((<usize>x) << 3));
    for (let x = 0; x < width; x++) {
      const here = (<usize>x) << 3;
      if (x + radius < width) sum += load<f64>(at + here + ahead);
      if (x - radius > 0) sum -= load<f64>(at + here - ahead - 8);
      store<f64>(to + here, sum / <f64>(min(width - 1, x + radius) - max(0, x - radius) + 1));
    }
  }
  memory.fill(sums, 0, line + 16);
  for (let y = 0; y < min(radius, height); y++) {
    const from = rows + <usize>y * line;
    for (let x: usize = 0; x < line; x += 16) v128.store(sums + x, f64x2.add(v128.load(sums + x), v128.load(from + x)));
  }
  for (let y = 0; y < height; y++) {
    const enters = rows + <usize>(y + radius) * line;
    const leaves = rows + <usize>(y - radius - 1) * line;
    const to = out + <usize>y * line;
    const count = f64x2.splat(<f64>(min(height - 1, y + radius) - max(0, y - radius) + 1));
    // The number after an odd row is another's, or nobody's: the next row is written after it.
    for (let x: usize = 0; x < line; x += 16) {
      let two = v128.load(sums + x);
      if (y + radius < height) two = f64x2.add(two, v128.load(enters + x));
      if (y - radius > 0) two = f64x2.sub(two, v128.load(leaves + x));
      v128.store(sums + x, two);
      v128.store(to + x, f64x2.div(two, count));
    }
  }
}

// @ts-ignore: decorator
@inline
function minus(a: v128, b: v128, c: v128): v128 {
  return f64x2.sub(a, f64x2.mul(b, c));
}

/**
 * The linear functions of all windows, a = (Σ + εU)⁻¹ cov(colour, plane) and b, into four planes of `stride` bytes; from the
 * means of red, green, blue, plane, their products with the plane, and rr, rg, rb, gg, gb, bb, thirteen such planes.
 */
export function guidedFit(means: usize, stride: usize, count: i32, epsilon: f64, out: usize): void {
  const more = f64x2.splat(epsilon);
  for (let i: usize = 0; i < (<usize>count) << 3; i += 16) {
    let at = means + i;
    const mr = v128.load(at);
    const mg = v128.load((at += stride));
    const mb = v128.load((at += stride));
    const mp = v128.load((at += stride));
    const cr = minus(v128.load((at += stride)), mr, mp);
    const cg = minus(v128.load((at += stride)), mg, mp);
    const cb = minus(v128.load((at += stride)), mb, mp);
    const rr = f64x2.add(minus(v128.load((at += stride)), mr, mr), more);
    const rg = minus(v128.load((at += stride)), mr, mg);
    const rb = minus(v128.load((at += stride)), mr, mb);
    const gg = f64x2.add(minus(v128.load((at += stride)), mg, mg), more);
    const gb = minus(v128.load((at += stride)), mg, mb);
    const bb = f64x2.add(minus(v128.load((at += stride)), mb, mb), more);
    // The inverse of the symmetric 3 × 3 matrix by its cofactors.
    const k00 = minus(f64x2.mul(gg, bb), gb, gb);
    const k01 = minus(f64x2.mul(gb, rb), rg, bb);
    const k02 = minus(f64x2.mul(rg, gb), gg, rb);
    const k11 = minus(f64x2.mul(rr, bb), rb, rb);
    const k12 = minus(f64x2.mul(rb, rg), rr, gb);
    const k22 = minus(f64x2.mul(rr, gg), rg, rg);
    const determinant = threeProducts(rr, k00, rg, k01, rb, k02);
    const ar = f64x2.div(threeProducts(k00, cr, k01, cg, k02, cb), determinant);
    const ag = f64x2.div(threeProducts(k01, cr, k11, cg, k12, cb), determinant);
    const ab = f64x2.div(threeProducts(k02, cr, k12, cg, k22, cb), determinant);
    v128.store(out + i, ar);
    v128.store(out + i + stride, ag);
    v128.store(out + i + 2 * stride, ab);
    v128.store(out + i + 3 * stride, minus(minus(minus(mp, ar, mr), ag, mg), ab, mb));
  }
}

// @ts-ignore: decorator
@inline
function threeProducts(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(a, b), f64x2.mul(c, d)), f64x2.mul(e, f));
}

// @ts-ignore: decorator
@inline
function between(plane: usize, i: usize, across: usize, down: usize, w00: f64, w10: f64, w01: f64, w11: f64): f64 {
  const at = plane + (i << 3);
  return w00 * load<f64>(at) + w10 * load<f64>(at + across) + w01 * load<f64>(at + down) + w11 * load<f64>(at + across + down);
}

/**
 * The functions (four planes of `stride` bytes, `guideWidth` × `guideHeight`) of the picture's own colours, wherever `where`
 * is not 0: pixel (x, y) lies at (`xs[x]`, `ys[y]`) of the guide, whose pixels have their centres at half ones.
 */
export function guidedApply(
  functions: usize,
  stride: usize,
  guideWidth: i32,
  guideHeight: i32,
  image: usize,
  width: i32,
  height: i32,
  xs: usize,
  ys: usize,
  where: usize,
  out: usize,
): void {
  let i: usize = 0;
  for (let y = 0; y < height; y++) {
    const v = min<f64>(<f64>(guideHeight - 1), max<f64>(0, load<f64>(ys + ((<usize>y) << 3)) - 0.5));
    const top = min(guideHeight - 1, <i32>floor(v));
    const down = top + 1 < guideHeight ? (<usize>guideWidth) << 3 : 0;
    const fy = v - <f64>top;
    for (let x = 0; x < width; x++, i++) {
      if (!load<u8>(where + i)) continue;
      const u = min<f64>(<f64>(guideWidth - 1), max<f64>(0, load<f64>(xs + ((<usize>x) << 3)) - 0.5));
      const left = min(guideWidth - 1, <i32>floor(u));
      const across: usize = left + 1 < guideWidth ? 8 : 0;
      const fx = u - <f64>left;
      const at = <usize>(top * guideWidth + left);
      const w00 = (1 - fx) * (1 - fy);
      const w10 = fx * (1 - fy);
      const w01 = (1 - fx) * fy;
      const w11 = fx * fy;
      const red = between(functions, at, across, down, w00, w10, w01, w11);
      const green = between(functions + stride, at, across, down, w00, w10, w01, w11);
      const blue = between(functions + 2 * stride, at, across, down, w00, w10, w01, w11);
      const rest = between(functions + 3 * stride, at, across, down, w00, w10, w01, w11);
      const from = image + i * 3;
      const value =
        red * (<f64>load<u8>(from) / 255) +
        green * (<f64>load<u8>(from, 1) / 255) +
        blue * (<f64>load<u8>(from, 2) / 255) +
        rest;
      store<f64>(out + (i << 3), value);
    }
  }
}
