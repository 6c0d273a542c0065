// The windows of closed-form matting (matte.ts), in the order and the precision that is written here.

/** Places of the neighbours of one window's pixel among its 5 × 5: rows of three, five apart. */
const across: i32 = 5;

/** 0 to 255 as shares of 255. */
const levels = memory.data(256 * 8, 16);

/**
 * Adds to `weights` (25 a row, single precision) δ_ij − (1 + (I_i − μ)ᵀ (Σ + ε/9)⁻¹ (I_j − μ)) / 9 for the pixels i, j of
 * every 3 × 3 window with an uncertain pixel; rows only of uncertain i, by `rowOf`. `scratch`: 82 doubles.
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
  for (let level = 0; level < 256; level++) store<f64>(levels + ((<usize>level) << 3), <f64>level / 255);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const first = (y - 1) * width + x - 1;
      if (!touches(rowOf, first, width)) continue;
      turnColours(image, width, first, epsilon, scratch);
      for (let k: usize = scratch; k < scratch + 216; k += 16) {
        v128.store(k, f64x2.div(v128.load(k), f64x2.splat(9)), 432);
      }
      for (let i = 0; i < 9; i++) {
        const v = i / 3;
        const u = i - v * 3;
        const row = load<i32>(rowOf + ((<usize>(first + v * width + u)) << 2));
        if (row < 0) continue;
        const r = load<f64>(scratch + ((<usize>i) << 3), 432);
        const g = load<f64>(scratch + ((<usize>i) << 3), 504);
        const b = load<f64>(scratch + ((<usize>i) << 3), 576);
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
      const r = load<f64>(levels + ((<usize>load<u8>(from)) << 3));
      const g = load<f64>(levels + ((<usize>load<u8>(from, 1)) << 3));
      const b = load<f64>(levels + ((<usize>load<u8>(from, 2)) << 3));
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
