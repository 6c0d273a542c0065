// Closed-form matting: every number is computed in the order and the precision that is written here, two unknowns side by
// side, so that the result does not depend on how wide the processor's vectors are.

/** Places of the neighbours of one window's pixel among its 5 × 5: rows of three, five apart. */
const across: i32 = 5;

/**
 * Adds to `weights` (25 a row, single precision) δ_ij − (1 + (I_i − μ)ᵀ (Σ + ε/9)⁻¹ (I_j − μ)) / 9 for the pixels i, j of
 * every 3 × 3 window with an uncertain pixel; rows only of uncertain i, by `rowOf`. `scratch`: 54 doubles.
 */
export function matteWindows(
  image: usize,
  width: i32,
  height: i32,
  epsilon: f64,
  rowOf: usize,
  weights: usize,
  scratch: usize,
): void {
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const first = (y - 1) * width + x - 1;
      if (!touches(rowOf, first, width)) continue;
      turnColours(image, width, first, epsilon, scratch);
      for (let i = 0; i < 9; i++) {
        const v = i / 3;
        const u = i - v * 3;
        const row = load<i32>(rowOf + ((<usize>(first + v * width + u)) << 2));
        if (row < 0) continue;
        const r = load<f64>(scratch + ((<usize>i) << 3)) / 9;
        const g = load<f64>(scratch + ((<usize>i) << 3), 72) / 9;
        const b = load<f64>(scratch + ((<usize>i) << 3), 144) / 9;
        const own = weights + (<usize>row) * 100;
        const at = own + ((<usize>((2 - v) * across + 2 - u)) << 2);
        for (let j = 0; j < 3; j++) {
          const from = scratch + 216 + (<usize>j) * 24;
          const to = at + (<usize>(j * across) << 2);
          const two = f64x2.add(
            f64x2.add(
              f64x2.add(f64x2.splat(1.0 / 9), f64x2.mul(f64x2.splat(r), v128.load(from))),
              f64x2.mul(f64x2.splat(g), v128.load(from, 72)),
            ),
            f64x2.mul(f64x2.splat(b), v128.load(from, 144)),
          );
          const less = f64x2.sub(f64x2.promote_low_f32x4(v128.load64_zero(to)), two);
          v128.store64_lane(to, f32x4.demote_f64x2_zero(less), 0);
          const third = 1.0 / 9 + r * load<f64>(from, 16) + g * load<f64>(from, 88) + b * load<f64>(from, 160);
          store<f32>(to, <f32>(<f64>load<f32>(to, 8) - third), 8);
        }
        store<f32>(own, <f32>(<f64>load<f32>(own, 48) + 1), 48);
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function touches(rowOf: usize, first: i32, width: i32): bool {
  for (let v = 0; v < 3; v++) {
    const at = rowOf + ((<usize>(first + v * width)) << 2);
    if ((load<i32>(at) & load<i32>(at, 4) & load<i32>(at, 8)) >= 0) return true;
  }
  return false;
}

/** The window's colours less their mean (27 doubles, by channel), and the inverse of their regularised covariance times them. */
function turnColours(image: usize, width: i32, first: i32, epsilon: f64, scratch: usize): void {
  let mr: f64 = 0;
  let mg: f64 = 0;
  let mb: f64 = 0;
  let to = scratch;
  for (let v = 0; v < 3; v++) {
    let from = image + <usize>((first + v * width) * 3);
    for (let u = 0; u < 3; u++, from += 3, to += 8) {
      const r = <f64>load<u8>(from) / 255;
      const g = <f64>load<u8>(from, 1) / 255;
      const b = <f64>load<u8>(from, 2) / 255;
      store<f64>(to, r);
      store<f64>(to, g, 72);
      store<f64>(to, b, 144);
      mr += r;
      mg += g;
      mb += b;
    }
  }
  mr /= 9;
  mg /= 9;
  mb /= 9;
  let rr = epsilon;
  let rg: f64 = 0;
  let rb: f64 = 0;
  let gg = epsilon;
  let gb: f64 = 0;
  let bb = epsilon;
  for (let k: usize = scratch; k < scratch + 72; k += 8) {
    const r = load<f64>(k) - mr;
    const g = load<f64>(k, 72) - mg;
    const b = load<f64>(k, 144) - mb;
    store<f64>(k, r);
    store<f64>(k, g, 72);
    store<f64>(k, b, 144);
    rr += r * r;
    rg += r * g;
    rb += r * b;
    gg += g * g;
    gb += g * b;
    bb += b * b;
  }
  const k00 = gg * bb - gb * gb;
  const k01 = gb * rb - rg * bb;
  const k02 = rg * gb - gg * rb;
  // Sums, not means, went in: nine times the covariance, so nine times too small comes out.
  const scale = 9 / (rr * k00 + rg * k01 + rb * k02);
  const i00 = k00 * scale;
  const i01 = k01 * scale;
  const i02 = k02 * scale;
  const i11 = (rr * bb - rb * rb) * scale;
  const i12 = (rb * rg - rr * gb) * scale;
  const i22 = (rr * gg - rg * rg) * scale;
  for (let k: usize = scratch; k < scratch + 72; k += 8) {
    const r = load<f64>(k);
    const g = load<f64>(k, 72);
    const b = load<f64>(k, 144);
    store<f64>(k, i00 * r + i01 * g + i02 * b, 216);
    store<f64>(k, i01 * r + i11 * g + i12 * b, 288);
    store<f64>(k, i02 * r + i12 * g + i22 * b, 360);
  }
}

/**
 * Unknowns that are neighbours in a line of the grid become pairs: `items` gets place and row of each (and −1 − row of one
 * without a neighbour), `paired` their weights in turns. Returns how many there are.
 */
export function mattePairs(places: usize, count: i32, weights: usize, items: usize, paired: usize): i32 {
  let made = 0;
  for (let row = 0; row < count; made++) {
    const place = load<i32>(places + ((<usize>row) << 2));
    const isPair = row + 1 < count && load<i32>(places + ((<usize>row) << 2), 4) === place + 1;
    store<i32>(items + ((<usize>made) << 3), place);
    store<i32>(items + ((<usize>made) << 3), isPair ? row : -1 - row, 4);
    const from = weights + (<usize>row) * 100;
    const to = paired + (<usize>made) * 200;
    for (let k: usize = 0; k < 25; k++) {
      store<f32>(to + (k << 3), load<f32>(from + (k << 2)));
      store<f32>(to + (k << 3), isPair ? load<f32>(from + (k << 2), 100) : 0, 4);
    }
    row += isPair ? 2 : 1;
  }
  return made;
}

// @ts-ignore: decorator
@inline
function line(w: usize, p: usize): v128 {
  const a = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(w)), v128.load(p));
  const b = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(w, 8)), v128.load(p, 8));
  const c = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(w, 16)), v128.load(p, 16));
  const d = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(w, 24)), v128.load(p, 24));
  const e = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(w, 32)), v128.load(p, 32));
  return f64x2.add(f64x2.add(f64x2.add(f64x2.add(a, b), c), d), e);
}

/** The system times `x` (a grid with a margin of 2), by rows into `out`; returns the sum of x · out over the unknowns. */
export function matteMultiply(items: usize, count: i32, stride: i32, paired: usize, x: usize, out: usize): f64 {
  const step = (<usize>stride) << 3;
  let sum: f64 = 0;
  for (let k = 0; k < count; k++, items += 8, paired += 200) {
    const here = x + ((<usize>load<i32>(items)) << 3);
    let p = here - 2 * step - 16;
    let total = f64x2.add(f64x2.splat(0), line(paired, p));
    total = f64x2.add(total, line(paired + 40, (p += step)));
    total = f64x2.add(total, line(paired + 80, (p += step)));
    total = f64x2.add(total, line(paired + 120, (p += step)));
    total = f64x2.add(total, line(paired + 160, (p += step)));
    const row = load<i32>(items, 4);
    const first = f64x2.extract_lane(total, 0);
    sum += load<f64>(here) * first;
    if (row < 0) {
      store<f64>(out + ((<usize>(-1 - row)) << 3), first);
    } else {
      v128.store(out + ((<usize>row) << 3), total);
      sum += load<f64>(here, 8) * f64x2.extract_lane(total, 1);
    }
  }
  return sum;
}

/** One step of the conjugate gradients along `direction`; returns the residual's new energy. */
export function matteStep(
  places: usize,
  count: i32,
  length: f64,
  grid: usize,
  direction: usize,
  product: usize,
  residual: usize,
  inverseDiagonal: usize,
): f64 {
  let energy: f64 = 0;
  for (let row: usize = 0; row < (<usize>count) << 3; row += 8) {
    const place = (<usize>load<i32>(places + (row >> 1))) << 3;
    store<f64>(grid + place, load<f64>(grid + place) + length * load<f64>(direction + place));
    const rest = load<f64>(residual + row) - length * load<f64>(product + row);
    store<f64>(residual + row, rest);
    energy += rest * rest * load<f64>(inverseDiagonal + row);
  }
  return energy;
}

/** The next direction: the preconditioned residual and `turn` times the last one. */
export function matteTurn(
  places: usize,
  count: i32,
  turn: f64,
  direction: usize,
  residual: usize,
  inverseDiagonal: usize,
): void {
  for (let row: usize = 0; row < (<usize>count) << 3; row += 8) {
    const at = direction + ((<usize>load<i32>(places + (row >> 1))) << 3);
    store<f64>(at, load<f64>(inverseDiagonal + row) * load<f64>(residual + row) + turn * load<f64>(at));
  }
}
